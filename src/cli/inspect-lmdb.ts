/**
 * `logstrata inspect` of what lies in LMDB: the catalog and the index.
 *
 * LMDB has no checksums and trusts what it maps, so its pages are first followed from the roots without
 * it. A catalog is then opened as the service would, from a copy: every token, key, session and
 * dashboard is read, and every token's secret decrypted. A bit that changed inside a value may stay unseen.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Catalog, openCatalog } from '../catalog/catalog.ts'
import { lmdbFileAt, lmdbIsWhole, whileUnchanged } from '../lmdb-file.ts'
import type { Fault } from './inspect-file.ts'

const words = {
  nothing: 'the file is empty',
  foreign: 'the file is not one of LMDB',
  cut: 'the end of the file is missing',
} as const

/** What is wrong with an LMDB file as such. */
export function faultsOfLmdb(path: string): Fault[] {
  const isWhole = whileUnchanged(path, () => {
    const state = lmdbFileAt(path)
    if (state !== 'lmdb') return words[state]
    return lmdbIsWhole(path) ? undefined : 'a page is damaged'
  })
  return isWhole === undefined ? [] : [{ offset: 0, what: isWhole }]
}

/** What is wrong with a catalog, and with the key beside it. */
export async function faultsOfCatalog(path: string): Promise<Fault[]> {
  const faults = faultsOfLmdb(path)
  if (faults.length > 0) return faults
  const copy = fs.mkdtempSync(join(tmpdir(), 'logstrata-inspect-'))
  try {
    whileUnchanged(path, () => fs.copyFileSync(path, join(copy, 'catalog.lmdb')))
    const key = join(dirname(path), 'secret.key')
    if (fs.existsSync(key)) fs.copyFileSync(key, join(copy, 'secret.key'))
    return await faultsOfContents(copy)
  } finally {
    fs.rmSync(copy, { recursive: true, force: true })
  }
}

async function faultsOfContents(dataDir: string): Promise<Fault[]> {
  let catalog: Catalog
  try {
    catalog = await openCatalog({ dataDir, now: Date.now })
  } catch (error) {
    const what = (error as Error).message.replaceAll(`${dataDir}/`, '')
    return [{ offset: 0, what: `it cannot be opened: ${what}` }]
  }
  try {
    return [...readAll(catalog)].map(what => ({ offset: 0, what }))
  } finally {
    await catalog.close()
  }
}

/** Reads everything that opening has not; yields what cannot be read. */
function* readAll({ ingestionTokens, dashboards }: Catalog): Generator<string> {
  for (const { id, hint } of ingestionTokens.list()) {
    if (hint === '') yield `the secret of ingestion token ${id} does not decrypt with secret.key`
  }
  for (const { id } of dashboards.list()) {
    try {
      JSON.parse(dashboards.getText(id))
    } catch {
      yield `dashboard ${id} cannot be read`
    }
  }
}
