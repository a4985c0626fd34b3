/** Puts a file that will never be written again into another directory. */
import type { Disk } from '../../disk/disk.ts'
import { realDisk } from '../../disk/real-disk.ts'

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
export async function linkOrCopy(
  from: string,
  to: string,
  disk: Disk = realDisk,
): Promise<'linked' | 'copied'> {
  try {
    await disk.link(from, to)
    return 'linked'
  } catch (error) {
    if (!copyInstead.has((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  await copyWhole(from, to, disk)
  return 'copied'
}

/** Copies a file, for nobody else to read. Shares its blocks with it where the file system can. */
export async function copyWhole(from: string, to: string, disk: Disk = realDisk): Promise<void> {
  await disk.copy(from, to)
  const [wanted, copied] = [disk.sizeSync(from), disk.sizeSync(to)]
  if (wanted !== copied) throw new Error(`copied ${copied} of ${wanted} bytes of ${from}`)
}
