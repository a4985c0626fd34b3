/** Puts a file that will never be written again into another directory. */
import fs from 'node:fs/promises'

/** Errors of a link that a copy does not have: another file system, one without links, or not our file. */
const copyInstead = new Set([
  'EXDEV',
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
  'EACCES',
])

/**
 * Links `from` as `to`, or copies it where that cannot be. Resolves with what it did: a copy is whole, but
 * not yet on disk. Fails when `to` exists.
 */
export async function linkOrCopy(from: string, to: string): Promise<'linked' | 'copied'> {
  try {
    await fs.link(from, to)
    return 'linked'
  } catch (error) {
    if (!copyInstead.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  await copyWhole(from, to)
  return 'copied'
}

/** Copies a file, for nobody else to read. Shares its blocks with it where the file system can. */
export async function copyWhole(from: string, to: string): Promise<void> {
  const { COPYFILE_EXCL, COPYFILE_FICLONE } = fs.constants
  await fs.copyFile(from, to, COPYFILE_EXCL | COPYFILE_FICLONE)
  const [source, copy] = [await fs.stat(from), await fs.stat(to)]
  if (source.size !== copy.size) {
    throw new Error(`copied ${copy.size} of ${source.size} bytes of ${from}`)
  }
  await fs.chmod(to, 0o600)
}
