/**
 * Reads the values of an LMDB file without LMDB, which trusts what it maps and may end the process on a
 * page that is damaged. Of the structure only that is checked which keeps the reading from going astray:
 * what comes out is held against the checksums of the catalog, so that damage where nothing is read does
 * no harm.
 */
import fs from 'node:fs'
import { type Meta, metasOf } from '../lmdb/file.ts'
import {
  asDamaged,
  type LeafNode,
  LmdbDamaged,
  leafNodes,
  nodeFlag,
  noRoot,
  pageHeader,
  treeIn,
} from '../lmdb/tree.ts'

const pageTransactionOffset = 8

export interface LmdbValue {
  /** The named database that it is in. */
  readonly database: string
  readonly key: string
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
      // Another page of the transaction, such as its list of free pages, would pass for an empty catalog.
      if ((flags & nodeFlag.tree) === 0) throw new LmdbDamaged('its root is that of another tree')
      const database = key.toString('utf8').replace(/\0$/, '')
      for (const node of reader.nodes(treeIn(value).root)) {
        yield { database, key: node.key.toString('utf8'), value: reader.valueOf(node) }
      }
    }
  } catch (error) {
    throw asDamaged(error)
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
   * Each transaction writes the root again, with its own number in it: another number is that of an older
   * state, to which a damaged meta page may lead. A compact copy has 1 in all pages, and one meta page
   * only.
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
  nodes(root: bigint): Generator<LeafNode> {
    return leafNodes(root, ({ number }) => {
      if (this.#leftCount === 0) throw new LmdbDamaged('its pages form a circle')
      this.#leftCount--
      return this.#read(Number(number) * this.#pageBytes, this.#pageBytes)
    })
  }

  /** A value, wherever it is. */
  valueOf({ flags, value, bytes }: LeafNode): Buffer {
    if ((flags & nodeFlag.large) === 0) return value
    const firstPage = Number(value.readBigUInt64LE(0))
    return this.#read(firstPage * this.#pageBytes + pageHeader.bytes, bytes)
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
