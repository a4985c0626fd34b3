/**
 * A directory in the place of a file: the calls of the system do not say which, and LMDB ends the process.
 */
import fs from 'node:fs'

/** Throws with the path when a directory is there. */
export function refuseDirectory(path: string): void {
  if (!fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  throw new Error(`${path} is a directory, where a file belongs; move it away`)
}
