/** What leads to a directory: its own name is in the one above it, and so on. */
import { dirname, resolve } from 'node:path'
import type { Disk } from './disk.ts'

/**
 * Makes the names durable that lead to a directory, in all those above it. As far as can be: they are
 * not ours, and a file system may refuse us one, or have no such sync.
 */
export async function syncAncestors(disk: Disk, path: string): Promise<void> {
  let directory = resolve(path)
  while (directory !== dirname(directory)) {
    directory = dirname(directory)
    await disk.syncDirectory(directory).catch(() => {})
  }
}
