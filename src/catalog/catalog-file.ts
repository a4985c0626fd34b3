/**
 * Looks through a catalog's file before LMDB gets to see it: everything in it is read and checked, and
 * what comes out is exactly what was stored last, but for values that are known to be damaged.
 */
import fs from 'node:fs'
import { lmdbFileAt, lmdbIsWhole } from '../lmdb/file.ts'
import { LmdbDamaged } from '../lmdb/tree.ts'
import { decodeChecked, encodeChecked, isMarked, type Place, payloadOf } from './checked-value.ts'
import { Contents, contentsPlace, decodeContents, formatVersion } from './contents.ts'
import { lmdbValues } from './lmdb-values.ts'

/** A value as it is stored from format 2 on. */
export interface StoredValue extends Place {
  readonly stored: Buffer
}

export interface FoundCatalog {
  /** Of the file; 1 had no checksums. */
  readonly format: number
  readonly values: readonly StoredValue[]
  /** Of all values, the damaged ones too. */
  readonly contents: Contents
  /** Where the values are that must not be believed. */
  readonly damaged: readonly Place[]
}

/** The file cannot be used as it is. The message says what is wrong with it, without its path. */
export class CatalogUnusable extends Error {
  override readonly name = 'CatalogUnusable'
}

/**
 * What the file at `path` holds; undefined when nothing is there, or an empty file. Nobody may write to
 * it meanwhile. Throws CatalogUnusable, and what reading throws.
 */
export function readCatalogFile(path: string): FoundCatalog | undefined {
  if (fs.statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    throw new CatalogUnusable('it is a directory or a device, not a file')
  }
  const state = lmdbFileAt(path)
  if (state === 'nothing') return undefined
  if (state === 'foreign') throw new CatalogUnusable('it is not an LMDB file')
  if (state === 'cut') throw new CatalogUnusable('the end of the file is missing')
  let entries: StoredValue[]
  try {
    entries = Array.from(lmdbValues(path), ({ database, key, value }) => ({
      collection: database,
      key,
      stored: value,
    }))
  } catch (error) {
    if (error instanceof LmdbDamaged) throw new CatalogUnusable(error.message, { cause: error })
    throw error
  }
  const contentsName = nameOf(contentsPlace)
  const isRecord = (place: Place) => nameOf(place) === contentsName
  const record = entries.find(isRecord)
  const values = entries.filter(entry => !isRecord(entry))
  return record === undefined ? withoutChecksums(path, values) : checked(record, values)
}

const nameOf = ({ collection, key }: Place) => `${collection}/${key}`

/** Format 1: the values as they were, with checksums from now on. */
function withoutChecksums(path: string, values: readonly StoredValue[]): FoundCatalog {
  if (values.some(({ stored }) => isMarked(stored))) {
    throw new CatalogUnusable('the record of its contents is missing')
  }
  if (!lmdbIsWhole(path)) throw new CatalogUnusable('a page is damaged')
  const marked = values.map(({ stored, ...place }) => ({
    ...place,
    stored: encodeChecked(place, stored),
  }))
  return { format: 1, values: marked, contents: contentsOf(marked), damaged: [] }
}

function checked(record: StoredValue, values: readonly StoredValue[]): FoundCatalog {
  const said = decodeContents(record.stored)
  if (said === undefined) throw new CatalogUnusable('the record of its contents is damaged')
  if (said.format !== formatVersion) {
    const what = `it has format ${said.format}, known are 1 and ${formatVersion}`
    throw new CatalogUnusable(`${what}: a later version of this program wrote it`)
  }
  const mended = withChecksumMended(values, said.contents)
  const contents = contentsOf(mended)
  if (!contents.equals(said.contents)) {
    const { valueCount } = said.contents
    const what =
      contents.valueCount === valueCount
        ? 'values are not those that were stored last'
        : `it holds ${contents.valueCount} values and should hold ${valueCount}`
    throw new CatalogUnusable(what)
  }
  return { format: formatVersion, values: mended, contents, damaged: mended.filter(isDamaged) }
}

function isDamaged(value: StoredValue): boolean {
  return decodeChecked(value, value.stored) === undefined
}

/** When the checksum itself is damaged, the sum of all proves that the value is right. */
function withChecksumMended(
  values: readonly StoredValue[],
  said: Contents,
): readonly StoredValue[] {
  const [first, second] = values.filter(isDamaged)
  if (first === undefined || second !== undefined || contentsOf(values).equals(said)) return values
  const mended = { ...first, stored: encodeChecked(first, payloadOf(first.stored)) }
  const all = values.map(value => (value === first ? mended : value))
  return contentsOf(all).equals(said) ? all : values
}

function contentsOf(values: readonly StoredValue[]): Contents {
  return values.reduce((contents, { stored }) => contents.with(stored, undefined), new Contents())
}
