/** The first bytes of a segment: what it is, which format it has, and which number. See FORMAT.md. */
import { checksumAt } from './checksum.ts'
import { SegmentCorrupt, SegmentVersionUnknown } from './segment-error.ts'
import type { SegmentFile } from './segment-file.ts'

export const fileHeaderBytes = 20
export const fileMagic = Buffer.from('LSSEGMNT', 'latin1')
/** The one that is written. */
export const formatVersion = 3
/** The oldest that is read. */
const formatVersionMin = 1

export function encodeFileHeader(number: number): Buffer {
  const bytes = Buffer.alloc(fileHeaderBytes)
  fileMagic.copy(bytes, 0)
  bytes.writeUInt32LE(formatVersion, 8)
  bytes.writeUInt32LE(number, 12)
  bytes.writeUInt32LE(checksumAt(number, 0, bytes.subarray(0, 16)), 16)
  return bytes
}

/** The number that an intact header names; undefined when there is no intact header. */
export function numberInHeader(bytes: Buffer): number | undefined {
  if (bytes.length < fileHeaderBytes || !bytes.subarray(0, 8).equals(fileMagic)) return undefined
  const number = bytes.readUInt32LE(12)
  const isIntact = checksumAt(number, 0, bytes.subarray(0, 16)) === bytes.readUInt32LE(16)
  return isIntact ? number : undefined
}

/** The format of a segment. Throws SegmentCorrupt, or SegmentVersionUnknown when an intact header names one
 *  that is not read. */
export function checkFileHeader(file: SegmentFile): number {
  const bytes = file.read(0, fileHeaderBytes)
  if (!bytes.subarray(0, 8).equals(fileMagic)) {
    throw new SegmentCorrupt(file.path, 0, 'the file is not a segment')
  }
  const number = numberInHeader(bytes)
  if (number === undefined) throw new SegmentCorrupt(file.path, 0, 'the header is damaged')
  const version = bytes.readUInt32LE(8)
  if (version < formatVersionMin || version > formatVersion) {
    throw new SegmentVersionUnknown(file.path, version, formatVersion)
  }
  if (number !== file.number) {
    const what = `the file is number ${number} under the name of ${file.number}`
    throw new SegmentCorrupt(file.path, 0, what)
  }
  return version
}
