/** What a start does before it opens the catalog: whose settings are these? */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { catalogFileName } from '../database.ts'
import { putSecretKey } from '../secrets/secret-key.ts'
import { endCopy, readCopyNote, writeCopyNote } from './copy-file.ts'
import { openSealedKey, type SettingsFeed } from './feed.ts'
import { Primary } from './primary.ts'

export interface BegunCopy {
  readonly primary: Primary
  /** When the copy that is there was made. */
  readonly copiedAt: number
  /** What the catalog is to have before it is used; undefined: it has a copy. */
  readonly first: SettingsFeed | undefined
}

/**
 * Sees to it that there is a copy to begin with: the first start needs the primary, and every later one
 * begins without it. Throws an Error that says what to do.
 */
export async function beginCopy(
  dataDir: string,
  { url, key, now }: { readonly url: string; readonly key: string; readonly now: () => number },
): Promise<BegunCopy> {
  const primary = new Primary(url, key)
  const note = readCopyNote(dataDir)
  const { copiedAt } = note ?? {}
  if (typeof copiedAt === 'number') return { primary, copiedAt, first: undefined }
  if (note === undefined && existsSync(join(dataDir, catalogFileName))) {
    const text = 'the data directory has settings of its own, which a primary’s would replace'
    throw new Error(`${text}: give another --data-dir, or remove ${catalogFileName} and secret.key`)
  }
  const askedAt = now()
  let first: SettingsFeed
  try {
    first = await primary.settings({ epoch: '', after: 0 }, 0)
  } catch (error) {
    const text = `the first start needs the primary at ${url}, whose settings it copies`
    throw new Error(`${text}: ${(error as Error).message}`, { cause: error })
  }
  const secretKey = openSealedKey(first.secretKey ?? '', key)
  if (secretKey === undefined) throw new Error(`the primary at ${url} gave no key of its secrets`)
  await writeCopyNote(dataDir, { primary: url, copiedAt: null })
  await putSecretKey(dataDir, secretKey)
  return { primary, copiedAt: askedAt, first }
}

/** The settings are the directory's own. Says so where they were a copy. */
export async function beginOwn(dataDir: string, say: (text: string) => void): Promise<void> {
  const note = await endCopy(dataDir)
  if (note === undefined) return
  const { primary, copiedAt } = note
  const when = copiedAt === null ? 'never complete' : `as of ${new Date(copiedAt).toISOString()}`
  say(`the settings were a copy of those of ${primary}, ${when}; from now on they are its own`)
}
