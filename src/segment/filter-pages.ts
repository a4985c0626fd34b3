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
    if (checksumAt(file.number, offset, content) !== page.readUInt32LE(contentBytes)) {
      throw new SegmentCorrupt(file.path, offset, 'a page of a token filter is damaged')
    }
    return page
  }
}
