/**
 * How the disk under the data directory stands, and what lies in quarantine: bytes of the journal and of
 * segments that could not be read, kept for a person (see `recovery.ts`, `damaged-blocks.ts`).
 */

import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

export interface DiskUsage {
  /** That this process may still write. */
  readonly freeBytes: number
  readonly totalBytes: number
  readonly quarantine: {
    /** Damaged parts, each a file of its own. */
    readonly files: number
    readonly bytes: number
  }
}

/** Looks at the disk of `dataDir`. */
export async function diskUsage(dataDir: string): Promise<DiskUsage> {
  const [{ bavail, blocks, bsize }, quarantine] = await Promise.all([
    statfs(dataDir),
    sizeOf(join(dataDir, 'quarantine')),
  ])
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize, quarantine }
}

/** Of the files in a directory that need not be there. */
async function sizeOf(directory: string): Promise<DiskUsage['quarantine']> {
  const names = await readdir(directory).catch(orNone<string[]>([]))
  const sizes = await Promise.all(
    // A person may take one away while we look.
    names.map(async name => (await stat(join(directory, name)).catch(orNone(undefined)))?.size),
  )
  const known = sizes.filter(size => size !== undefined)
  return { files: known.length, bytes: known.reduce((sum, size) => sum + size, 0) }
}

/** The result for a file that is missing; other failures are rethrown. */
function orNone<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return error => {
    if (error.code !== 'ENOENT') throw error
    return value
  }
}
