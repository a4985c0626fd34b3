/** Directories that all tests of a process share. */
import { join } from 'node:path'
import { t as root } from 'tap'

let directories: string | undefined

/** Where `name` of this process may be made, a directory or a file; removed when the process ends. */
export function directoryOfProcess(name: string): string {
  directories ??= root.testdir() // Asked for again, it would be empty.
  return join(directories, name)
}
