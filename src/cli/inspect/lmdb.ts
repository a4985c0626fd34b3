/**
 * `logstrata inspect` of what lies in LMDB: the catalog and the index.
 *
 * LMDB has no checksums and trusts what it maps, so its pages are first followed from the roots without
 * it. The catalog has checksums of its own, of each value and of all together. It is then opened as the
 * service would, from a copy: every dashboard is read, and every token's secret decrypted.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Catalog, openCatalog } from '../../catalog/catalog.ts'
import { CatalogUnusable, type FoundCatalog, readCatalogFile } from '../../catalog/catalog-file.ts'
import type { Place } from '../../catalog/checked-value.ts'
import { lmdbFileAt, lmdbIsWhole, whileUnchanged } from '../../lmdb/file.ts'
import type { Fault } from './file.ts'

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
    const found = foundIn(join(copy, 'catalog.lmdb'))
    if (found === undefined || 'what' in found) return found === undefined ? [] : [found]
    // Of a daily copy the key is one above.
    const keys = ['.', '..'].map(above => join(dirname(path), above, 'secret.key'))
    const key = keys.find(fs.existsSync)
    if (key !== undefined) fs.copyFileSync(key, join(copy, 'secret.key'))
    return [...found.damaged.map(faultOfValue), ...(await faultsOfContents(copy))]
  } finally {
    fs.rmSync(copy, { recursive: true, force: true })
  }
}

function foundIn(path: string): FoundCatalog | Fault | undefined {
  try {
    return readCatalogFile(path)
  } catch (error) {
    if (error instanceof CatalogUnusable) return { offset: 0, what: error.message }
    throw error
  }
}

function faultOfValue({ collection, key }: Place): Fault {
  return { offset: 0, what: `the value ${collection}/${key} is damaged` }
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
