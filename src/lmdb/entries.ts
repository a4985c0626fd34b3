/**
 * Reads the entries of an LMDB file and holds each page to what it must be: its own number, in one place of
 * one tree only, its keys in order and between those that lead to it. (`tree.ts` draws pages and nodes.)
 *
 * For trees of small values: a value that takes pages of its own is refused.
 */
import fs from 'node:fs'
import { youngestMeta } from './file.ts'
import {
  asDamaged,
  type LeafNode,
  LmdbDamaged,
  leafNodes,
  type NamedTree,
  nodeFlag,
  noRoot,
  type PagePlace,
  pageHeader,
  treeIn,
} from './tree.ts'

/** The bytes as LMDB has them, valid as long as anybody keeps them. */
export interface LmdbEntry {
  readonly key: Buffer
  readonly value: Buffer
}

/** No tree of 64 KiB pages or less is deeper: LMDB has the same bound (`CURSOR_STACK`). */
const depthMax = 32
/** More than any index has: a number beyond it is damage. */
const pagesMax = 2 ** 28

/** Calls `read` with an open file. Throws LmdbDamaged, and what the file system throws. */
export function withLmdbEntries<T>(path: string, read: (entries: LmdbEntries) => T): T {
  const fd = fs.openSync(path, 'r')
  try {
    return read(new LmdbEntries(fd))
  } finally {
    fs.closeSync(fd)
  }
}

export class LmdbEntries {
  readonly #fd: number
  readonly #pageBytes: number
  /** Of whole pages in the file. */
  readonly #pageCount: number
  /** Whether a page was met already: each has one place. */
  readonly #isMet: Uint8Array
  /** Lists of pages that are free. */
  readonly #freeLists: Buffer[] = []
  readonly #mainRoot: bigint
  /** The named databases; known once the entries of the root were read. */
  readonly #databases = new Map<string, NamedTree>()

  constructor(fd: number) {
    const meta = youngestMeta(fd)
    if (meta === undefined) throw new LmdbDamaged('the file is not one of LMDB')
    this.#fd = fd
    this.#pageBytes = meta.pageBytes
    this.#pageCount = Math.floor(fs.fstatSync(fd).size / meta.pageBytes)
    if (meta.lastPage >= pagesMax) throw new LmdbDamaged(`it has no page ${meta.lastPage}`)
    this.#isMet = new Uint8Array(meta.lastPage + 1)
    this.#isMet.fill(1, 0, 2) // The meta pages.
    const [freeRoot, mainRoot] = meta.roots
    for (const { key, value, bytes, flags } of this.#nodes(freeRoot!, compareNumbers)) {
      const isPast = key.length === 8 && key.readBigUInt64LE() <= meta.transaction
      const isElsewhere = flags === nodeFlag.large
      if (!isPast || (flags !== 0 && !isElsewhere)) {
        throw new LmdbDamaged('a list of pages is damaged')
      }
      this.#freeLists.push(isElsewhere ? this.#readLarge(value, bytes) : value)
    }
    this.#mainRoot = mainRoot!
  }

  /** The entries beside the named databases. To be asked for first, and once. */
  root(): LmdbEntry[] {
    const entries: LmdbEntry[] = []
    for (const { key, value, flags } of this.#nodes(this.#mainRoot)) {
      if (flags === 0) entries.push({ key, value })
      else if (flags === nodeFlag.tree) this.#databases.set(nameIn(key), treeIn(value))
      else throw new LmdbDamaged('a value is not where it should be')
    }
    return entries
  }

  /** The entries of a named database, in order of their keys; none when there is no such database. */
  *database(name: string): Generator<LmdbEntry> {
    const { root, entryCount } = this.#databases.get(name) ?? { root: noRoot, entryCount: 0 }
    let found = 0
    for (const { key, value, flags } of this.#nodes(root)) {
      if (flags !== 0) throw new LmdbDamaged('a value is not where it should be')
      found++
      yield { key, value }
    }
    if (found !== entryCount) {
      throw new LmdbDamaged(`${name} has ${found} entries, expected ${entryCount}`)
    }
  }

  /** Throws LmdbDamaged unless each page is in use or free. To be asked when all else was read. */
  checkFree(): void {
    for (const list of this.#freeLists) {
      for (const page of freePagesIn(list)) this.#meet(page, 'free')
    }
    const page = this.#isMet.indexOf(0)
    if (page !== -1) throw new LmdbDamaged(`page ${page} is neither in use nor free`)
  }

  /** The nodes of a tree's leaves, from left to right, their keys in order. */
  *#nodes(root: bigint, compare = Buffer.compare): Generator<LeafNode> {
    let leaf: PagePlace | undefined
    let least: Buffer | undefined
    let end: Buffer | undefined
    try {
      for (const node of leafNodes(root, place => this.#readPage(place))) {
        const { key } = node
        const isFirst = node.leaf !== leaf
        if (isFirst) {
          leaf = node.leaf
          least = leaf.from()
          end = leaf.to()
        }
        const order = least === undefined ? 1 : compare(key, least)
        const isInOrder = (isFirst ? order >= 0 : order > 0) && (!end || compare(key, end) < 0)
        if (!isInOrder) {
          throw new LmdbDamaged(`page ${node.leaf.number} has a key that does not belong there`)
        }
        least = key
        yield node
      }
    } catch (error) {
      throw asDamaged(error)
    }
  }

  #readPage({ number, depth }: PagePlace): Buffer {
    if (number >= this.#pageCount || depth > depthMax) {
      throw new LmdbDamaged(`page ${number} cannot be where it is said to be`)
    }
    this.#meet(Number(number), 'in use')
    const page = Buffer.allocUnsafeSlow(this.#pageBytes)
    fs.readSync(this.#fd, page, 0, this.#pageBytes, Number(number) * this.#pageBytes)
    return page
  }

  /** A value that has pages of its own; what is in its place leads to them. */
  #readLarge(place: Buffer, bytes: number): Buffer {
    const first = Number(place.readBigUInt64LE(0))
    const end = first * this.#pageBytes + pageHeader.bytes + bytes
    if (end > this.#pageCount * this.#pageBytes) throw new LmdbDamaged('a value is not in the file')
    for (let page = first; page * this.#pageBytes < end; page++) this.#meet(page, 'in use')
    const value = Buffer.allocUnsafeSlow(bytes)
    fs.readSync(this.#fd, value, 0, bytes, end - bytes)
    return value
  }

  #meet(page: number, how: string): void {
    if (this.#isMet[page] !== 0) throw new LmdbDamaged(`page ${page} is ${how}, and something else`)
    this.#isMet[page] = 1
  }
}

/**
 * The numbers in a list of free pages: how many numbers follow, and these (of 64 bits). One below zero is a
 * length, of this many pages as it is below, from the next number on; zeros count for nothing.
 */
function* freePagesIn(list: Buffer): Generator<number> {
  const numberAt = (at: number) => Number(list.readBigInt64LE(at * 8))
  const count = list.length < 8 ? -1 : numberAt(0)
  if (count < 0 || (count + 1) * 8 > list.length)
    throw new LmdbDamaged('a list of pages is damaged')
  for (let at = 1; at <= count; at++) {
    const number = numberAt(at)
    if (number === 0) continue
    const isRun = number < 0 && at < count
    const first = isRun ? numberAt(++at) : number
    const length = isRun ? Math.min(-number, pagesMax) : 1
    for (let page = first; page < first + length; page++) yield page
  }
}

/** LMDB ends names with a zero. */
function nameIn(key: Buffer): string {
  return key.subarray(0, -1).toString()
}

/** Of the free pages' tree: its keys are numbers of transactions. */
function compareNumbers(one: Uint8Array, other: Uint8Array): -1 | 0 | 1 {
  const [a, b] = [one, other].map(key => Buffer.from(key).readBigUInt64LE())
  return a! < b! ? -1 : a! > b! ? 1 : 0
}
