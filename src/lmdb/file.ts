/**
 * A look at a file before LMDB opens it, and at its errors after: LMDB trusts what it maps, so a file
 * that is not its own ends the process with a segmentation fault, and one that was cut off with a
 * bus error, instead of an error.
 *
 * The layout is that of the LMDB inside the package `lmdb` 3 (its `mdb.c`); all numbers are in the
 * machine's order, which is little-endian wherever this service runs. A file begins with two meta
 * pages; commits write them in turn, and the one of the younger transaction counts:
 *
 *     ┌──────────────────┬───────────┬─────────────┬─────────────┬──────────────┬──────────────┐
 *     │ page header <24> │ magic <4> │ version <4> │ address <8> │ map size <8> │ free db <48> │ …
 *     └──────────────────┴───────────┴─────────────┴─────────────┴──────────────┴──────────────┘
 *       ┌──────────────┬─────────────────┬───────────────────┐
 *     … │ main db <48> │ last page <u64> │ transaction <u64> │
 *       └──────────────┴─────────────────┴───────────────────┘
 *
 * - A db begins with a u32, which in the free db is the page size; its last u64 is its root page.
 */
import fs from 'node:fs'
import { holdsTrees } from './tree.ts'

const metaOffset = 24
const metaBytes = 136
const magic = 0xbeefc0de
const version = 2
/** The upper half of the field is for flags. */
const versionMask = 0xffff
const freeDbOffset = 24
const rootOffset = 40
const mainDbOffset = freeDbOffset + 48
const lastPageOffset = mainDbOffset + 48
const transactionOffset = lastPageOffset + 8
const pageBytesMin = 256
const pageBytesMax = 65_536

export interface Meta {
  readonly pageBytes: number
  /** Of the free pages' tree, and of the main one. */
  readonly roots: readonly bigint[]
  readonly lastPage: number
  readonly transaction: bigint
}

/**
 * What lies at a path: nothing (or an empty file), an LMDB file that LMDB can open, one that lacks
 * pages at its end that it needs, or something else (such as the file of another version of LMDB).
 * Only the end is looked at: bytes that changed inside the file are not found.
 */
export function lmdbFileAt(path: string): 'nothing' | 'lmdb' | 'cut' | 'foreign' {
  let fd: number
  try {
    fd = fs.openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing'
    throw error
  }
  try {
    const fileBytes = fs.fstatSync(fd).size
    if (fileBytes === 0) return 'nothing'
    const first = readMeta(fd, 0)
    if (first === undefined) return 'foreign'
    return isWhole(fd, fileBytes, first) ? 'lmdb' : 'cut'
  } finally {
    fs.closeSync(fd)
  }
}

/**
 * Whether every page that the youngest transaction reaches is in the file and is the one that it should
 * be; what is in values is not looked at. Reads all of these pages. For what `lmdbFileAt` calls `lmdb`.
 */
export function lmdbIsWhole(path: string): boolean {
  const fd = fs.openSync(path, 'r')
  try {
    const meta = youngestMeta(fd)
    if (meta === undefined) return false
    const pageCount = Math.floor(fs.fstatSync(fd).size / meta.pageBytes)
    return holdsTrees(fd, { pageBytes: meta.pageBytes, pageCount }, meta.roots)
  } finally {
    fs.closeSync(fd)
  }
}

/** How often a file that a service writes to meanwhile is looked at again. */
const looksMax = 5

/** What `look` makes of a file; it looks again when a transaction came between. */
export function whileUnchanged<T>(path: string, look: () => T): T {
  for (let attempt = 1; ; attempt++) {
    const before = lmdbTransaction(path)
    try {
      const seen = look()
      if (attempt === looksMax || lmdbTransaction(path) === before) return seen
    } catch (error) {
      if (attempt === looksMax || lmdbTransaction(path) === before) throw error
    }
  }
}

/** The youngest transaction of a file; undefined for what is not LMDB's. */
function lmdbTransaction(path: string): bigint | undefined {
  const fd = fs.openSync(path, 'r')
  try {
    return youngestMeta(fd)?.transaction
  } finally {
    fs.closeSync(fd)
  }
}

/** Both meta pages, that of the younger transaction first; undefined for what is not LMDB's. */
export function metasOf(fd: number): readonly [Meta, Meta] | undefined {
  const first = readMeta(fd, 0)
  const second = first && readMeta(fd, first.pageBytes)
  if (first === undefined || second === undefined) return undefined
  return first.transaction > second.transaction ? [first, second] : [second, first]
}

/** The meta page that counts; undefined for what is not LMDB's. */
export function youngestMeta(fd: number): Meta | undefined {
  return metasOf(fd)?.[0]
}

/**
 * A file that holds its last page is whole. One that does not may be whole too: the page may never
 * have been written, because the transaction that took it gave it back (a large value put and removed at
 * once). Then it is in none of the trees.
 */
function isWhole(fd: number, fileBytes: number, first: Meta): boolean {
  const { pageBytes } = first
  const youngest = youngestMeta(fd)
  if (youngest === undefined) return false
  const { lastPage, roots } = youngest
  const wholePages = Math.floor(fileBytes / pageBytes)
  return lastPage < wholePages || holdsTrees(fd, { pageBytes, pageCount: wholePages }, roots)
}

/** Undefined when there is no meta page of this version at `offset`. */
function readMeta(fd: number, offset: number): Meta | undefined {
  const meta = Buffer.alloc(metaBytes)
  fs.readSync(fd, meta, 0, metaBytes, offset + metaOffset)
  const isMeta = meta.readUInt32LE(0) === magic && (meta.readUInt32LE(4) & versionMask) === version
  const pageBytes = meta.readUInt32LE(freeDbOffset)
  const isPageSize = pageBytesMin <= pageBytes && pageBytes <= pageBytesMax
  if (!isMeta || !isPageSize) return undefined
  return {
    pageBytes,
    roots: [freeDbOffset, mainDbOffset].map(db => meta.readBigUInt64LE(db + rootOffset)),
    lastPage: Number(meta.readBigUInt64LE(lastPageOffset)),
    transaction: meta.readBigUInt64LE(transactionOffset),
  }
}

/**
 * What a failed commit of lmdb was about: it rejects with a general error whose `commitError` is a
 * promise that rejects with the cause, and that ends the process when nobody awaits it.
 */
export async function commitCause(error: unknown): Promise<unknown> {
  const { commitError } = error as { commitError?: Promise<never> }
  try {
    await commitError
    return error
  } catch (cause) {
    return cause
  }
}
