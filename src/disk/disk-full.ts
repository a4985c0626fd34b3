/** How a disk says that it has no room. */

/** Node reports a full disk by writing less than it was asked to, with no error: then this is thrown. */
export class ShortWrite extends Error {}

/** Whether an error, of ours or of a call, says that there is no room, or no more for this user. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof ShortWrite) return true
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return code === 'ENOSPC' || code === 'EDQUOT'
}
