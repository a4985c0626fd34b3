/** Files of a few bytes that are replaced as a whole: what is kept is the last one, or the one before. */
import { basename, dirname } from 'node:path'
import type { Disk } from './disk.ts'
import { readAt } from './read.ts'

const fileBytesMax = 4_096

/** Undefined when there is none. Throws when it cannot be read. */
export function readSmallFile(path: string, disk: Disk): string | undefined {
  if (disk.sizeSync(path) === undefined) return undefined
  const file = disk.openSync(path)
  try {
    return readAt(file, 0, fileBytesMax).toString('utf8')
  } finally {
    file.close()
  }
}

/** Resolves when it survives a power cut. The last one stays when that fails. */
export async function replaceSmallFile(path: string, text: string, disk: Disk): Promise<void> {
  const unfinished = `${path}.tmp`
  const bytes = Buffer.from(text)
  disk.removeSync(unfinished) // Of a process that was killed.
  const file = await disk.create(unfinished)
  try {
    const written = await file.write([bytes], 0)
    if (written < bytes.length) throw new Error(`write ${basename(path)}: no space left on device`)
    await file.datasync()
  } finally {
    await file.close()
  }
  disk.renameSync(unfinished, path)
  await disk.syncDirectory(dirname(path))
}
