/**
 * Reads the values of an LMDB file without LMDB, which trusts what it maps and may end the process on a page
 * that is damaged. Of the structure only that is checked which keeps the reading from going astray: what
 * comes out is held against the checksums of the catalog, so that damage where nothing is read does no harm.
 * (`lmdb/tree.ts` draws pages and nodes; `lmdb/entries.ts` reads strictly, for the index, which has no sums.)
 */
import fs from 'node:fs'
import { LmdbDamaged } from '../lmdb/entries.ts'
import { type Meta, metasOf } from '../lmdb/file.ts'
import {
  nodeFlag,
  nodeHeaderBytes,
  noRoot,
  pageFlag,
  pageHeader,
  treeRootOffset,
} from '../lmdb/tree.ts'

const pageTransactionOffset = 8

export interface LmdbValue {
  /** The named database that it is in. */
  readonly database: string
  readonly key: string
  readonly value: Buffer
}

interface Node {
  readonly flags: number
  readonly key: Buffer
  readonly value: Buffer
}

/**
 * Every entry of every named database, as the youngest transaction left them. The file must not change
 * meanwhile. Throws LmdbDamaged, also after some entries.
 */
export function* lmdbValues(path: string): Generator<LmdbValue> {
  const fd = fs.openSync(path, 'r')
  try {
    const reader = new TreeReader(fd)
    for (const { flags, key, value } of reader.nodes(reader.mainRoot)) {
      if ((flags & nodeFlag.tree) === 0) continue
      const database = key.toString('utf8').replace(/\0$/, '')
      for (const node of reader.nodes(value.readBigUInt64LE(treeRootOffset))) {
        yield { database, key: node.key.toString('utf8'), value: node.value }
      }
    }
  } catch (error) {
    if (error instanceof RangeError) throw new LmdbDamaged('a page is damaged', { cause: error })
    throw error
  } finally {
    fs.closeSync(fd)
  }
}

class TreeReader {
  readonly mainRoot: bigint
  readonly #fd: number
  readonly #fileBytes: number
  readonly #pageBytes: number
  /** A page has one place in the trees: more than all pages would be a circle. */
  #leftCount: number

  constructor(fd: number) {
    const [meta, older] = metasOf(fd) ?? []
    if (meta === undefined || older === undefined) throw new LmdbDamaged('it is not an LMDB file')
    this.#fd = fd
    this.#fileBytes = fs.fstatSync(fd).size
    this.#pageBytes = meta.pageBytes
    this.#leftCount = Math.ceil(this.#fileBytes / meta.pageBytes)
    this.mainRoot = mainRootOf(meta)
    this.#refuseAnotherRoot(meta, older)
  }

  /**
   * Each transaction writes the root anew, with its own number in it: another number is that of an older
   * state, to which a damaged meta page may lead. A compact copy has 1 in all pages, and one meta page only.
   */
  #refuseAnotherRoot(meta: Meta, older: Meta): void {
    const isFirst = older.transaction === 0n && mainRootOf(older) === noRoot
    if (this.mainRoot === noRoot) {
      if (isFirst && this.#fileBytes <= 2 * this.#pageBytes) return
      throw new LmdbDamaged('its root is missing')
    }
    const page = this.#read(Number(this.mainRoot) * this.#pageBytes, this.#pageBytes)
    const transaction = page.readBigUInt64LE(pageTransactionOffset)
    if (transaction === meta.transaction || (isFirst && transaction === 1n)) return
    throw new LmdbDamaged('its root is that of another transaction')
  }

  /** The nodes of all leaves below a root, in order. */
  *nodes(root: bigint): Generator<Node> {
    const pending = [root]
    for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
      if (number === noRoot) continue
      if (this.#leftCount === 0) throw new LmdbDamaged('its pages form a circle')
      this.#leftCount--
      const page = this.#read(Number(number) * this.#pageBytes, this.#pageBytes)
      if (page.readBigUInt64LE(0) !== number) throw new LmdbDamaged('a page is another one')
      const flags = page.readUInt16LE(pageHeader.flagsOffset)
      if (flags === pageFlag.branch) pending.push(...branchesOf(page).reverse())
      else if (flags === pageFlag.leaf) yield* this.#leaf(page)
      else throw new LmdbDamaged('a page is neither a branch nor a leaf')
    }
  }

  *#leaf(page: Buffer): Generator<Node> {
    for (const node of placesOf(page)) {
      const valueBytes = page.readUInt32LE(node)
      const flags = page.readUInt16LE(node + 4)
      const keyBytes = page.readUInt16LE(node + 6)
      const data = node + nodeHeaderBytes + keyBytes
      const key = partOf(page, node + nodeHeaderBytes, keyBytes)
      const isLarge = (flags & nodeFlag.large) !== 0
      const value = isLarge
        ? this.#read(this.#largeValueAt(page.readBigUInt64LE(data)), valueBytes)
        : partOf(page, data, valueBytes)
      yield { flags, key, value }
    }
  }

  #largeValueAt(firstPage: bigint): number {
    return Number(firstPage) * this.#pageBytes + pageHeader.bytes
  }

  #read(offset: number, bytes: number): Buffer {
    if (offset + bytes > this.#fileBytes) throw new LmdbDamaged('a page is missing')
    const read = Buffer.alloc(bytes)
    fs.readSync(this.#fd, read, 0, bytes, offset)
    return read
  }
}

function mainRootOf({ roots }: Meta): bigint {
  return roots[1] ?? noRoot
}

function branchesOf(page: Buffer): bigint[] {
  return placesOf(page).map(node => BigInt(page.readUIntLE(node, 6)))
}

/** Where the nodes of a page are. */
function placesOf(page: Buffer): number[] {
  const count = page.readUInt16LE(pageHeader.lowerOffset) >> 1
  return Array.from(
    { length: count },
    (_, i) => pageHeader.bytes + page.readUInt16LE(pageHeader.bytes + 2 * i),
  )
}

function partOf(page: Buffer, offset: number, bytes: number): Buffer {
  if (offset + bytes > page.length) throw new LmdbDamaged('a page is damaged')
  return Buffer.from(page.subarray(offset, offset + bytes))
}
