/** What the machine holds of files in memory: made to forget them, or to hold them. */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync, writeFileSync } from 'node:fs'

/** Needs root on Linux; says whether it was possible. */
export function dropPageCache(): boolean {
  spawnSync('sync') // Pages that are not on disk yet would stay.
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3')
    return true
  } catch {
    return false
  }
}

/** Reads all files of a directory once. */
export function readIntoPageCache(directory: string): void {
  const chunk = Buffer.alloc(1_048_576)
  for (const file of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue
    const descriptor = openSync(`${file.parentPath}/${file.name}`, 'r')
    while (readSync(descriptor, chunk) > 0) {
      // Reading is all.
    }
    closeSync(descriptor)
  }
}
