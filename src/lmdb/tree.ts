/**
 * Follows the trees of an LMDB file from their roots, to see whether all of their pages are in the
 * file (`file.ts` says when that is in doubt). Pages that hold one large value are not read.
 *
 *     page  ┌──────────────┬──────────┬─────────────┬─────────────┬───────────┬───────────────┬───┐
 *           │ number <u64> │ … <10>   │ flags <u16> │ lower <u16> │ upper <2> │ pointer <u16> │ … │
 *           └──────────────┴──────────┴─────────────┴─────────────┴───────────┴───────────────┴───┘
 *     node  ┌──────────┬───────────┬─────────────┬─────────────────┬─────┬──────┐
 *           │ low <u16>│ high <u16>│ flags <u16> │ key bytes <u16> │ key │ data │
 *           └──────────┴───────────┴─────────────┴─────────────────┴─────┴──────┘
 *
 * - `lower` is the size of all pointers; a pointer is a node's place behind the page's header.
 * - In a branch, `low`, `high` and `flags` together are the number of the page below.
 * - In a leaf, the data of a large value is `{first page <u64>, transaction <u64>, pages <u64>}`, and
 *   that of a tree within the tree (a named database) is its db record, whose last two u64 are the number
 *   of its entries and its root.
 */
import fs from 'node:fs'

export const pageHeader = { bytes: 24, flagsOffset: 18, lowerOffset: 20 } as const
export const pageFlag = { branch: 0x01, leaf: 0x02, fixedLeaf: 0x20 } as const
export const nodeHeaderBytes = 8
export const nodeFlag = { large: 0x01, tree: 0x02 } as const
const largePagesOffset = 16
/** Of a tree within the tree. */
export const treeEntriesOffset = 32
export const treeRootOffset = 40
/** The root of a tree that has no page yet. */
export const noRoot = 0xffff_ffff_ffff_ffffn

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
  const pending = [...roots]
  // A page has one place in the trees: more than all pages would be a circle.
  let leftCount = pageCount
  for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
    if (number === noRoot) continue
    if (number >= pageCount || leftCount === 0) return false
    leftCount--
    fs.readSync(fd, page, 0, pageBytes, Number(number) * pageBytes)
    if (page.readBigUInt64LE(0) !== number) return false
    try {
      const { lastPage, below } = readLinks(page)
      if (lastPage >= pageCount) return false
      pending.push(...below)
    } catch (error) {
      if (error instanceof RangeError) return false // A place outside of the page.
      throw error
    }
  }
  return true
}

interface Links {
  /** The last page of its large values; -1 when there are none. */
  readonly lastPage: number
  /** The pages to go on with. */
  readonly below: readonly bigint[]
}

/** Throws a RangeError when the page is not one of a tree. */
function readLinks(page: Buffer): Links {
  const flags = page.readUInt16LE(pageHeader.flagsOffset)
  const below: bigint[] = []
  let lastPage = -1
  const isBranch = (flags & pageFlag.branch) !== 0
  const isLeaf = (flags & pageFlag.leaf) !== 0
  if (isBranch === isLeaf) throw new RangeError('neither a branch nor a leaf, or both')
  if ((flags & pageFlag.fixedLeaf) !== 0) return { lastPage, below }
  const nodesOffset = pageHeader.bytes + page.readUInt16LE(pageHeader.lowerOffset)
  for (let pointer = pageHeader.bytes; pointer < nodesOffset; pointer += 2) {
    const node = pageHeader.bytes + page.readUInt16LE(pointer)
    if (isBranch) {
      below.push(BigInt(page.readUIntLE(node, 6)))
      continue
    }
    const data = node + nodeHeaderBytes + page.readUInt16LE(node + 6)
    const nodeFlags = page.readUInt16LE(node + 4)
    if ((nodeFlags & nodeFlag.large) !== 0) {
      const firstPage = Number(page.readBigUInt64LE(data))
      const pages = Number(page.readBigUInt64LE(data + largePagesOffset))
      lastPage = Math.max(lastPage, firstPage + pages - 1)
    } else if ((nodeFlags & nodeFlag.tree) !== 0) {
      below.push(page.readBigUInt64LE(data + treeRootOffset))
    }
  }
  return { lastPage, below }
}
