/** What makes a change of names survive a power cut; a file's own sync does not do that. */
import { open } from 'node:fs/promises'

/** Makes the names in a directory (created, renamed, removed) durable. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
