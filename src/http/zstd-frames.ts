/**
 * Where each frame of a zstd body ends (RFC 8878, section 3.1).
 *
 * Node's zstd stops without an error after the first frame, and at the end of a frame that was cut
 * off. Both would lose events without a word, so the frames are measured first.
 *
 *     ┌───────────┬──────────────────┬──────────────┬───┬───────────────┐
 *     │ magic <4> │ header <2 to 14> │ block <3..n> │ … │ checksum <0|4> │
 *     └───────────┴──────────────────┴──────────────┴───┴───────────────┘
 */

const magic = 0xfd2fb528
const skippableMagic = 0x184d2a50
const skippableMagicMask = 0xfffffff0
const blockHeaderBytes = 3
const blockTypeRepeated = 1
const checksumBytes = 4
const dictionaryIdBytes = [0, 1, 2, 4] as const
const contentSizeBytes = [0, 2, 4, 8] as const

/**
 * The frames of `body` that hold data, in order. Throws a RangeError when the body does not end
 * with the end of a frame, or when something else than a frame begins where one should.
 */
export function zstdFrames(body: Buffer): Buffer[] {
  const frames: Buffer[] = []
  let offset = 0
  while (offset < body.length) {
    const frameMagic = body.readUInt32LE(offset)
    const isSkippable = (frameMagic & skippableMagicMask) >>> 0 === skippableMagic
    if (!isSkippable && frameMagic !== magic) {
      throw new RangeError('no zstd frame begins here')
    }
    const end = isSkippable ? offset + 8 + body.readUInt32LE(offset + 4) : frameEnd(body, offset)
    if (end > body.length) {
      throw new RangeError('the last zstd frame was cut off')
    }
    if (!isSkippable) {
      frames.push(body.subarray(offset, end))
    }
    offset = end
  }
  return frames
}

/** May lie past the end of `body`. Reading a header past the end throws a RangeError. */
function frameEnd(body: Buffer, start: number): number {
  const descriptor = body.readUInt8(start + 4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const hasChecksum = (descriptor & 0x04) !== 0
  const sizeBytes = contentSizeBytes[(descriptor >> 6) as 0 | 1 | 2 | 3]
  let offset = start + 5
  offset += isSingleSegment ? 0 : 1 // The window descriptor.
  offset += dictionaryIdBytes[(descriptor & 0x03) as 0 | 1 | 2 | 3]
  offset += isSingleSegment && sizeBytes === 0 ? 1 : sizeBytes

  for (let isLast = false; !isLast; ) {
    const blockHeader = body.readUIntLE(offset, blockHeaderBytes)
    isLast = (blockHeader & 1) === 1
    const isRepeated = ((blockHeader >> 1) & 3) === blockTypeRepeated
    offset += blockHeaderBytes + (isRepeated ? 1 : blockHeader >> 3)
  }
  return offset + (hasChecksum ? checksumBytes : 0)
}
