/**
 * The pages of a token filter: 60 bytes of filter and their checksum, so that one read of 64 bytes
 * can be trusted by itself. Pages follow each other without a gap and are not compressed.
 */

import type { FilterReference } from './block-directory.ts'
import { checksumAt } from './checksum.ts'
import { SegmentCorrupt } from './segment-error.ts'
import type { SegmentFile } from './segment-file.ts'

export const filterPageBytes = 64
export const filterPageBits = 480
const contentBytes = filterPageBits / 8

/** Writes the checksum into each page of a filter that will be at `offset` of a segment. */
export function sealFilterPages(filter: Buffer, number: number, offset: number): void {
  for (let at = 0; at < filter.length; at += filterPageBytes) {
    const content = filter.subarray(at, at + contentBytes)
    filter.writeUInt32LE(checksumAt(number, offset + at, content), at + contentBytes)
  }
}

/** One page at a time: a question about an id reads one of each block, and a thousand new buffers would
 *  be garbage. */
const page = Buffer.alloc(filterPageBytes)
const content = page.subarray(0, contentBytes)

/** Returns pages of a filter by their index, each by one small read, valid until the next. Throws
 *  SegmentCorrupt. */
export function filterPageReader(
  file: SegmentFile,
  reference: FilterReference,
): (index: number) => Buffer {
  return index => {
    const offset = reference.offset + index * filterPageBytes
    file.readOver(page, offset)
    checkPage(file, offset)
    return page
  }
}

/** All pages of a filter, each of them checked. Throws SegmentCorrupt. */
export function readFilter(file: SegmentFile, { offset, pageCount }: FilterReference): Buffer {
  const bytes = file.read(offset, pageCount * filterPageBytes)
  for (let at = 0; at < bytes.length; at += filterPageBytes) {
    bytes.copy(page, 0, at, at + filterPageBytes)
    checkPage(file, offset + at)
  }
  return bytes
}

function checkPage(file: SegmentFile, offset: number): void {
  if (checksumAt(file.number, offset, content) !== page.readUInt32LE(contentBytes)) {
    throw new SegmentCorrupt(file.path, offset, 'a page of a token filter is damaged')
  }
}

/** Memory that filters may be kept in, bytes; those that come first take it. */
export class FilterRoom {
  #bytesLeft: number

  constructor(bytes: number) {
    this.#bytesLeft = bytes
  }

  has(bytes: number): boolean {
    return bytes <= this.#bytesLeft
  }

  take(bytes: number): void {
    this.#bytesLeft -= bytes
  }

  giveBack(bytes: number): void {
    this.#bytesLeft += bytes
  }
}

/** Whoever asks a filter once may never come again; who asks twice asks for an id or a word each time. */
const asksBeforeKept = 2

/**
 * A filter that is kept in memory when it is asked again, all of its pages by one read; where there is no
 * room, each page is read for itself. Which page is asked for is by chance: a few of them would serve nobody.
 */
export class KeptFilter {
  readonly #reference: FilterReference
  readonly #room: FilterRoom
  #bytes: Buffer | undefined
  /** 1 for each page that has been checked: most are never looked at. */
  #isChecked = new Uint8Array(0)
  #askedTimes = 0

  constructor(reference: FilterReference, room: FilterRoom) {
    this.#reference = reference
    this.#room = room
  }

  get heldBytes(): number {
    return this.#bytes === undefined ? 0 : this.#bytes.length + this.#isChecked.length
  }

  /** A page by its index, valid until the next of any filter is asked for. Throws SegmentCorrupt. */
  page(index: number, file: () => SegmentFile): Buffer {
    if (this.#bytes === undefined && !this.#keep(file)) {
      return filterPageReader(file(), this.#reference)(index)
    }
    const at = index * filterPageBytes
    this.#bytes!.copy(page, 0, at, at + filterPageBytes)
    if (this.#isChecked[index] === 0) {
      checkPage(file(), this.#reference.offset + at)
      this.#isChecked[index] = 1
    }
    return page
  }

  /** Lets go of the memory. */
  release(): void {
    this.#room.giveBack(this.heldBytes)
    this.#bytes = undefined
  }

  #keep(file: () => SegmentFile): boolean {
    const { offset, pageCount } = this.#reference
    this.#askedTimes++
    if (this.#askedTimes < asksBeforeKept) return false
    if (!this.#room.has(pageCount * (filterPageBytes + 1))) return false
    this.#bytes = file().read(offset, pageCount * filterPageBytes)
    this.#isChecked = new Uint8Array(pageCount)
    this.#room.take(this.heldBytes)
    return true
  }
}
