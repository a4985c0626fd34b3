import fs from 'node:fs'

/** Removes an LMDB file and its lock, if they are there. Nobody may have it open. */
export function removeLmdbFile(path: string): void {
  fs.rmSync(path, { force: true })
  fs.rmSync(`${path}-lock`, { force: true })
}
