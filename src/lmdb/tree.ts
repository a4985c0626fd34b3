/**
 * Follows the trees of an LMDB file from their roots, without LMDB, which trusts what it maps: over a page
 * that is damaged it returns wrong entries, or ends the process. Pages that hold one large value are not
 * read.
 *
 * Here it is checked that pages are of a tree and nodes within their pages. What else a page must be is for
 * those to say who read it: the catalog (`catalog/lmdb-values.ts`) is held to its checksums, so that damage
 * where nothing is read does no harm; the index, which has no sums, is read strictly (`entries.ts`).
 *
 *     page  ┌──────────────┬──────────┬─────────────┬─────────────┬───────────┬───────────────┬───┐
 *           │ number <u64> │ … <10>   │ flags <u16> │ lower <u16> │ upper <2> │ pointer <u16> │ … │
 *           └──────────────┴──────────┴─────────────┴─────────────┴───────────┴───────────────┴───┘
 *     node  ┌──────────┬───────────┬─────────────┬─────────────────┬─────┬──────┐
 *           │ low <u16>│ high <u16>│ flags <u16> │ key bytes <u16> │ key │ data │
 *           └──────────┴───────────┴─────────────┴─────────────────┴─────┴──────┘
 *
 * - `lower` is the size of all pointers; a pointer is a node's place after the page's header.
 * - In a branch, `low`, `high` and `flags` together are the number of the page below.
 * - In a leaf, the data of a large value is `{first page <u64>, transaction <u64>, pages <u64>}`, and
 *   that of a tree within the tree (a named database) is its db record, whose last two u64 are the number
 *   of its entries and its root.
 */
import fs from 'node:fs'

export const pageHeader = { bytes: 24, flagsOffset: 18, lowerOffset: 20 } as const
const pageFlag = { branch: 0x01, leaf: 0x02 } as const
const nodeHeaderBytes = 8
export const nodeFlag = { large: 0x01, tree: 0x02 } as const
/** Of what is in the place of a large value. */
const largeBytes = 24
const largePagesOffset = 16
/** Of a tree within the tree. */
const treeEntriesOffset = 32
const treeRootOffset = 40
/** The root of a tree that has no page yet. */
export const noRoot = 0xffff_ffff_ffff_ffffn

/** The file is not what LMDB wrote. The message says what is wrong, for people. */
export class LmdbDamaged extends Error {
  override readonly name = 'LmdbDamaged'
}

/** A page that is to be read. */
export interface PagePlace {
  readonly number: bigint
  readonly depth: number
  /** The keys of the page, as the branches above it say: from this one on; undefined: there is no bound. */
  from(): Buffer | undefined
  /** Exclusive. */
  to(): Buffer | undefined
}

/** Its bytes are those of the page. */
export interface LeafNode {
  readonly key: Buffer
  /** Of a large value what is in its place, which begins with the number of its first page. */
  readonly value: Buffer
  /** Of the value, wherever it is. */
  readonly bytes: number
  readonly flags: number
  readonly leaf: PagePlace
}

/**
 * The nodes of a tree's leaves, from left to right. `readPage` returns the bytes of a page, or throws. Throws
 * LmdbDamaged for a page that is not one of a tree, and RangeErrors for places outside of a page.
 */
export function* leafNodes(
  root: bigint,
  readPage: (place: PagePlace) => Buffer,
): Generator<LeafNode> {
  const unbounded = () => undefined
  const pending: PagePlace[] = [{ number: root, depth: 0, from: unbounded, to: unbounded }]
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { number } = place
    if (number === noRoot) continue
    const page = readPage(place)
    const found = page.readBigUInt64LE(0)
    if (found !== number) throw new LmdbDamaged(`page ${found} is in the place of page ${number}`)
    const kind = page.readUInt16LE(pageHeader.flagsOffset)
    if (kind === pageFlag.branch) pending.push(...childrenOf(page, place).reverse())
    else if (kind === pageFlag.leaf) yield* nodesOf(page, place)
    else throw new LmdbDamaged(`page ${number} is neither a branch nor a leaf`)
  }
}

/** An error that `leafNodes` threw, as LmdbDamaged if it is about the page. */
export function asDamaged(error: unknown): unknown {
  return error instanceof RangeError
    ? new LmdbDamaged('a page is damaged', { cause: error })
    : error
}

/** A tree within the tree: a named database. */
export interface NamedTree {
  readonly root: bigint
  readonly entryCount: number
}

/** What the value of such a tree says. Throws LmdbDamaged. */
export function treeIn(value: Buffer): NamedTree {
  if (value.length < treeRootOffset + 8) throw new LmdbDamaged('a database is damaged')
  const entryCount = Number(value.readBigUInt64LE(treeEntriesOffset))
  return { root: value.readBigUInt64LE(treeRootOffset), entryCount }
}

export interface PageCounts {
  readonly pageBytes: number
  /** Whole pages that the file holds. */
  readonly pageCount: number
}

/** Whether the file holds every page that can be reached from `roots`; so it does not if one is damaged. */
export function holdsTrees(
  fd: number,
  { pageBytes, pageCount }: PageCounts,
  roots: readonly bigint[],
): boolean {
  const page = Buffer.alloc(pageBytes)
  // A page has one place in the trees: more than all pages would be a circle.
  let leftCount = pageCount
  const readPage = ({ number }: PagePlace) => {
    if (number >= pageCount || leftCount === 0) throw new LmdbDamaged(`there is no page ${number}`)
    leftCount--
    fs.readSync(fd, page, 0, pageBytes, Number(number) * pageBytes)
    return page
  }
  const pending = [...roots]
  try {
    for (let root = pending.pop(); root !== undefined; root = pending.pop()) {
      for (const { flags, value } of leafNodes(root, readPage)) {
        if ((flags & nodeFlag.large) !== 0) {
          const pages = value.readBigUInt64LE(0) + value.readBigUInt64LE(largePagesOffset)
          if (pages > pageCount) return false
        } else if ((flags & nodeFlag.tree) !== 0) pending.push(treeIn(value).root)
      }
    }
    return true
  } catch (error) {
    if (error instanceof RangeError || error instanceof LmdbDamaged) return false
    throw error
  }
}

function childrenOf(page: Buffer, { depth, from, to }: PagePlace): PagePlace[] {
  const nodes = [...nodePlaces(page)]
  // The first key of a branch is not kept: it is that which leads to the branch.
  const bound = (i: number) => {
    if (i === 0) return from
    return i === nodes.length ? to : () => keyAt(page, nodes[i]!)
  }
  return nodes.map((node, i) => {
    const number = BigInt(page.readUIntLE(node, 6))
    return { number, depth: depth + 1, from: bound(i), to: bound(i + 1) }
  })
}

function* nodesOf(page: Buffer, leaf: PagePlace): Generator<LeafNode> {
  for (const node of nodePlaces(page)) {
    const key = keyAt(page, node)
    const bytes = page.readUInt16LE(node) + page.readUInt16LE(node + 2) * 0x1_0000
    const flags = page.readUInt16LE(node + 4)
    const isLarge = (flags & nodeFlag.large) !== 0
    const valueAt = node + nodeHeaderBytes + key.length
    const value = partOf(page, valueAt, isLarge ? largeBytes : bytes)
    yield { key, value, bytes, flags, leaf }
  }
}

/** Where the nodes of a page begin. */
function* nodePlaces(page: Buffer): Generator<number> {
  const end = pageHeader.bytes + page.readUInt16LE(pageHeader.lowerOffset)
  for (let pointer = pageHeader.bytes; pointer < end; pointer += 2) {
    yield pageHeader.bytes + page.readUInt16LE(pointer)
  }
}

function keyAt(page: Buffer, node: number): Buffer {
  return partOf(page, node + nodeHeaderBytes, page.readUInt16LE(node + 6))
}

function partOf(page: Buffer, offset: number, bytes: number): Buffer {
  if (offset + bytes > page.length) throw new RangeError('behind the end of the page')
  return page.subarray(offset, offset + bytes)
}
