/**
 * The unit in which the journal is written, checked and read: a header and a packed batch.
 *
 *     ┌───────────┬───────────────┬──────────────┬───────────┬─────────────────────┐
 *     │ magic <4> │ payload <u32> │ count <u32>  │ crc <u32> │ first sequence <f64>│
 *     ├───────────┴───────────────┼──────────────┴───────────┼─────────────────────┘
 *     │ min timestamp <f64>       │ max timestamp <f64>      │ payload <payload bytes> …
 *     └───────────────────────────┴──────────────────────────┘
 *
 * All numbers are little-endian. `crc` is the CRC-32 of the file's number and the frame's offset
 * (both u32), of the header without `crc` itself, and of the payload. Because the position counts, a
 * frame that a file system put in the wrong place is found out, and the rest of an older file that
 * shows through is never taken for ours.
 */
import { crc32 } from 'node:zlib'
import type { RecordTimes, Sequence } from '../record.ts'

export const frameHeaderBytes = 40
const magicBytes = Buffer.from('LSFR', 'latin1')
const magic = magicBytes.readUInt32LE(0)

/** What a frame's header says; known to be true only once the checksum held. */
export interface FrameHeader extends RecordTimes {
  readonly payloadBytes: number
  readonly firstSequence: Sequence
}

/** Where a frame lies: the journal file's number and the offset of the header in it, in bytes. */
export interface FramePosition {
  readonly file: number
  readonly offset: number
}

/** A frame, or several that follow one another, header and payload. */
export interface FrameSpan extends FramePosition {
  readonly bytes: number
}

/** Makes the header that precedes `payload`, which may be in two pieces, at `position`. */
export function encodeFrameHeader(
  header: FrameHeader,
  payload: Uint8Array,
  position: FramePosition,
  payloadEnd?: Uint8Array,
): Buffer {
  const bytes = Buffer.allocUnsafe(frameHeaderBytes)
  bytes.writeUInt32LE(magic, 0)
  bytes.writeUInt32LE(header.payloadBytes, 4)
  bytes.writeUInt32LE(header.recordCount, 8)
  bytes.writeDoubleLE(header.firstSequence, 16)
  bytes.writeDoubleLE(header.minTimestamp, 24)
  bytes.writeDoubleLE(header.maxTimestamp, 32)
  const crc = checksum(bytes, 0, payload, position)
  bytes.writeUInt32LE(payloadEnd === undefined ? crc : crc32(payloadEnd, crc), 12)
  return bytes
}

/** A whole, checked frame. `payload` shares memory with the bytes that were read. */
export interface Frame {
  readonly header: FrameHeader
  readonly offset: number
  readonly payload: Buffer
}

/** Why there is no frame at an offset: the bytes end too early, or they are not what was written. */
export type FrameFault = 'cut' | 'damaged'

/**
 * Reads the frame at `at` in `bytes`, which begin at `bytesOffset` of journal file `file`.
 * Never throws: anything but an intact frame is a fault.
 */
export function readFrame(
  bytes: Buffer,
  at: number,
  file: number,
  bytesOffset: number,
): Frame | FrameFault {
  if (at + frameHeaderBytes > bytes.length) return 'cut'
  if (bytes.readUInt32LE(at) !== magic) return 'damaged'
  const payloadBytes = bytes.readUInt32LE(at + 4)
  const payloadAt = at + frameHeaderBytes
  if (payloadAt + payloadBytes > bytes.length) return 'cut'
  const payload = bytes.subarray(payloadAt, payloadAt + payloadBytes)
  const offset = bytesOffset + at
  const expected = bytes.readUInt32LE(at + 12)
  if (checksum(bytes, at, payload, { file, offset }) !== expected) return 'damaged'
  const header: FrameHeader = {
    payloadBytes,
    recordCount: bytes.readUInt32LE(at + 8),
    firstSequence: bytes.readDoubleLE(at + 16),
    minTimestamp: bytes.readDoubleLE(at + 24),
    maxTimestamp: bytes.readDoubleLE(at + 32),
  }
  return { header, offset, payload }
}

/** Bytes of header and payload of the frame that claims to begin at `at`; undefined when none does. */
export function claimedFrameBytes(bytes: Buffer, at: number): number | undefined {
  if (at + frameHeaderBytes > bytes.length || bytes.readUInt32LE(at) !== magic) return undefined
  return frameHeaderBytes + bytes.readUInt32LE(at + 4)
}

/** Where the next thing that looks like a frame begins, at or after `from`; -1 when nowhere. */
export function findMagic(bytes: Buffer, from: number): number {
  return bytes.indexOf(magicBytes, from)
}

/** Bytes of the mark that `findMagic` looks for. */
export const magicLength = magicBytes.length

/** File and offset of a frame, and its header without the checksum. */
const covered = Buffer.alloc(8 + frameHeaderBytes - 4)

/** Of the frame whose header is at `at` in `bytes`. */
function checksum(bytes: Buffer, at: number, payload: Uint8Array, position: FramePosition): number {
  covered.writeUInt32LE(position.file, 0)
  covered.writeUInt32LE(position.offset, 4)
  // Byte by byte: for so few, a copy or one more checksum each would cost more.
  for (let i = 0; i < 12; i++) covered[8 + i] = bytes[at + i]!
  for (let i = 16; i < frameHeaderBytes; i++) covered[4 + i] = bytes[at + i]!
  return crc32(payload, crc32(covered))
}
