/**
 * Segments of formats that this program does not write: of format 1 are those of today without their skip
 * indexes.
 */
import fs from 'node:fs'
import { Packr, Unpackr } from 'msgpackr'
import { checksumAt } from '../../src/segment/checksum.ts'
import { trailerBytes, trailerMagic } from '../../src/segment/footer.ts'

const headerBytes = 20
/** Of a footer, but for the runs, which are the last. */
const fieldsOfFooter = 6

/** Turns a segment into one of format 1. */
export function toFormat1(path: string): void {
  fs.writeFileSync(path, asFormat1(fs.readFileSync(path)))
}

/** The bytes of a segment as one of format 1; its blocks stay where they are. */
export function asFormat1(segment: Buffer): Buffer {
  const bytes = withFormat(Buffer.from(segment), 1)
  const number = bytes.readUInt32LE(12)
  const trailer = bytes.subarray(-trailerBytes)
  const footerOffset = trailer.readDoubleLE(0)
  const footer = bytes.subarray(footerOffset, footerOffset + trailer.readUInt32LE(16))
  const fields: unknown[] = new Unpackr({ useRecords: false }).unpack(footer)
  const [runs = []] = fields.splice(fieldsOfFooter) as number[][]
  const packed = new Packr({ useRecords: false, moreTypes: false }).pack(fields)
  const blocksEnd = runs[0] ?? bytes.length - 2 * (footer.length + trailerBytes)
  const second = blocksEnd + packed.length + trailerBytes
  const fileBytes = second + packed.length + trailerBytes
  const ends = [blocksEnd, second].flatMap(offset => {
    const own = Buffer.alloc(trailerBytes)
    own.writeDoubleLE(offset, 0)
    own.writeDoubleLE(fileBytes, 8)
    own.writeUInt32LE(packed.length, 16)
    own.writeUInt32LE(checksumAt(number, offset, packed, own.subarray(0, 20)), 20)
    trailerMagic.copy(own, 24)
    return [packed, own]
  })
  return Buffer.concat([bytes.subarray(0, blocksEnd), ...ends])
}

/** Has the header of a segment name another format. */
export function claimFormat(path: string, format: number): void {
  fs.writeFileSync(path, withFormat(fs.readFileSync(path), format))
}

function withFormat(bytes: Buffer, format: number): Buffer {
  const header = bytes.subarray(0, headerBytes)
  header.writeUInt32LE(format, 8)
  const crc = checksumAt(header.readUInt32LE(12), 0, header.subarray(0, headerBytes - 4))
  header.writeUInt32LE(crc, headerBytes - 4)
  return bytes
}
