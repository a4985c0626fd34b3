/** Skip indexes that are whole and say something else than was written: only their blocks know better. */
import fs from 'node:fs'
import { checksumAt } from '../../src/segment/checksum.ts'
import { encodeFooters, readFooter } from '../../src/segment/footer.ts'

/** Parts of a skip index, to be written to. */
export interface SkipParts {
  /** Of each block: times, records, offset and pages of its token filter. */
  readonly numbers: Float64Array
  /** Of each block, then of the variables. */
  readonly letters: readonly Buffer[]
  /** Of each block that of its messages, then those of the attributes. */
  readonly kinds: Buffer
  readonly templates: Buffer
  readonly values: Buffer
  readonly patterns: Buffer
  readonly digits: Buffer
}

const headerBytes = 72
const numbersPerBlock = 5

/** Changes the skip index of a run in place, and all checksums with it. Its templates must be as short as
 *  not to be compressed for their numbers to make sense. */
export function changeSkipIndex(
  path: string,
  run: number,
  change: (parts: SkipParts) => void,
): void {
  const file = fs.readFileSync(path)
  const { number, runs, blocks, ...info } = readFooter(path)
  const { index, laterBytes, blockCount } = runs[run]!
  const { offset } = index
  // A copy, so that numbers lie where they are aligned.
  const bytes = Buffer.from(file.subarray(offset, offset + index.bytes))
  const templatesAt = offset + index.bytes
  const valuesAt = templatesAt + bytes.readUInt32LE(20)
  const templates = file.subarray(templatesAt, valuesAt)
  const patternsAt = valuesAt + bytes.readUInt32LE(32)
  const values = file.subarray(valuesAt, patternsAt)
  const digitsAt = patternsAt + bytes.readUInt32LE(44)
  const patterns = file.subarray(patternsAt, digitsAt)
  const digits = file.subarray(digitsAt, templatesAt + laterBytes)
  const own = new Uint8Array(bytes).buffer
  const numbers = new Float64Array(own, headerBytes, blockCount * numbersPerBlock)
  const lengthsAt = headerBytes + numbers.byteLength
  const lengths = [...new Uint32Array(own, lengthsAt, blockCount + 2)]
  let at = lengthsAt + 4 * lengths.length
  const letters = lengths.slice(0, -1).map(length => {
    at += length
    return Buffer.from(own, at - length, length)
  })
  const kinds = Buffer.from(own, at, index.bytes - at - lengths.at(-1)!)
  change({ numbers, letters, kinds, templates, values, patterns, digits })

  const changed = Buffer.from(own)
  changed.writeUInt32LE(checksumAt(number, templatesAt, templates), 28)
  changed.writeUInt32LE(checksumAt(number, valuesAt, values), 40)
  changed.writeUInt32LE(checksumAt(number, patternsAt, patterns), 52)
  changed.writeUInt32LE(checksumAt(number, digitsAt, digits), 64)
  const crc = checksumAt(number, offset, changed.subarray(0, 4), changed.subarray(8))
  changed.writeUInt32LE(crc, 4)
  changed.copy(file, offset)
  const last = runs.at(-1)!
  const end = last.index.offset + last.index.bytes + last.laterBytes
  const changedRuns = runs.with(run, { ...runs[run]!, index: { ...index, crc } })
  const footers = encodeFooters(info, { blocks, runs: changedRuns }, number, end)
  fs.writeFileSync(path, Buffer.concat([file.subarray(0, end), footers]))
}
