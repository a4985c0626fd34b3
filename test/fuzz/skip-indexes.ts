/**
 * Skip indexes of any bytes whatever under checksums that hold, as only a mistake of a writer could make
 * them: they are refused as corrupt, or read to their end, and every question about a block is answered.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Random } from '../../bench/random.ts'
import type { Selector } from '../../src/language/ast.ts'
import { Predicate } from '../../src/query/predicate.ts'
import { checksumAt } from '../../src/segment/checksum.ts'
import { unlessCorrupt } from '../../src/segment/segment-error.ts'
import { SegmentFile } from '../../src/segment/segment-file.ts'
import { SkipIndex, type SkipReference } from '../../src/segment/skip/skip-index.ts'
import { verdictOf } from '../../src/segment/skip/verdict.ts'
import { sealRecords } from '../segment/sealed.ts'
import { info } from '../segment/segments.ts'
import { mutate } from './mutate.ts'
import { recordLists } from './segments.ts'
import type { FuzzTarget } from './target.ts'

const number = 7
const headerBytes = 72
/** Blocks that are asked about, of an index that claims to tell of many. */
const blocksAsked = 20

interface Written {
  /** All of the file that stands before it. */
  readonly before: Buffer
  readonly index: Buffer
  /** Raw. */
  readonly templates: Buffer
  readonly values: Buffer
  readonly patterns: Buffer
  readonly digits: Buffer
}

const filters: readonly Selector['filters'][number][] = [
  { operator: '|=', text: 'session' },
  { operator: '|=', text: 'r 1' },
  { operator: '|=', text: 'r 17.4' },
  { operator: '!=', text: 'opened for' },
  { operator: '|~', text: 'user (root|alice)' },
]
const predicates = [
  ...filters.map(one => new Predicate({ kind: 'selector', matchers: [], filters: [one] })),
  new Predicate({
    kind: 'selector',
    matchers: [{ label: 'user', operator: '=', value: 'u17' }],
    filters: [],
  }),
  new Predicate({
    kind: 'selector',
    matchers: [{ label: 'pattern', operator: '=~', value: 'p1-.*[0-7]' }],
    filters: [],
  }),
  new Predicate({
    kind: 'selector',
    matchers: [{ label: 'k', operator: '!=', value: 'v' }],
    filters: [],
  }),
]

export function makeSkipIndexes(): FuzzTarget {
  const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-fuzz-skips-'))
  const path = join(directory, `${String(number).padStart(8, '0')}.seg`)
  const originals = recordLists.map(lists => {
    const { runs } = sealRecords(path, number, lists, info)
    const [{ index, laterBytes }] = runs as [(typeof runs)[0]]
    const bytes = fs.readFileSync(path)
    const end = index.offset + index.bytes
    const head = bytes.subarray(index.offset, end)
    const valuesAt = end + head.readUInt32LE(20)
    const part = (stored: Buffer, lengthsAt: number) =>
      head.readUInt32LE(lengthsAt) === head.readUInt32LE(lengthsAt + 4)
        ? stored
        : zstdDecompressSync(stored)
    const templates = part(bytes.subarray(end, valuesAt), 20)
    const patternsAt = valuesAt + head.readUInt32LE(32)
    const values = part(bytes.subarray(valuesAt, patternsAt), 32)
    const digitsAt = patternsAt + head.readUInt32LE(44)
    const patterns = part(bytes.subarray(patternsAt, digitsAt), 44)
    const digits = part(bytes.subarray(digitsAt, end + laterBytes), 56)
    const before = bytes.subarray(0, index.offset)
    return { before, index: head, templates, values, patterns, digits }
  })
  return {
    tryOne(random) {
      const reference = write(path, random.pick(originals), random)
      const file = new SegmentFile(path, number)
      try {
        unlessCorrupt(() => askAll(new SkipIndex(file, reference), file))
      } finally {
        file.close()
      }
    },
    end: () => fs.rmSync(directory, { recursive: true }),
  }
}

/** Writes what is left of a segment with a changed skip index at its end. */
function write(path: string, { before, ...original }: Written, random: Random): SkipReference {
  const changedPart = (part: Buffer) => {
    const raw = random.below(2) === 0 ? part : mutate(part, random)
    return { raw, stored: random.below(2) === 0 ? raw : zstdCompressSync(raw) }
  }
  const templates = changedPart(original.templates)
  const values = changedPart(original.values)
  const patterns = changedPart(original.patterns)
  const digits = changedPart(original.digits)
  const changed = random.below(3) === 0 ? original.index : mutate(original.index, random)
  const index = Buffer.alloc(Math.max(headerBytes, changed.length))
  changed.copy(index)
  index.write(random.pick([...'VKPDDDDD'].map(last => `LSS${last}`)), 'latin1')
  // Or else a changed length would hide all other changes.
  const isRight = () => random.below(8) > 0
  if (isRight()) index.writeUInt32LE(index.length, 8)
  if (isRight()) index.writeUInt32LE(templates.stored.length, 20)
  if (isRight()) index.writeUInt32LE(templates.raw.length, 24)
  if (isRight()) index.writeUInt32LE(values.stored.length, 32)
  if (isRight()) index.writeUInt32LE(values.raw.length, 36)
  if (isRight()) index.writeUInt32LE(patterns.stored.length, 44)
  if (isRight()) index.writeUInt32LE(patterns.raw.length, 48)
  if (isRight()) index.writeUInt32LE(digits.stored.length, 56)
  if (isRight()) index.writeUInt32LE(digits.raw.length, 60)
  const offset = before.length
  const templatesAt = offset + index.length
  const valuesAt = templatesAt + templates.stored.length
  index.writeUInt32LE(checksumAt(number, templatesAt, templates.stored), 28)
  const patternsAt = valuesAt + values.stored.length
  index.writeUInt32LE(checksumAt(number, valuesAt, values.stored), 40)
  index.writeUInt32LE(checksumAt(number, patternsAt, patterns.stored), 52)
  const digitsAt = patternsAt + patterns.stored.length
  index.writeUInt32LE(checksumAt(number, digitsAt, digits.stored), 64)
  const crc = checksumAt(number, offset, index.subarray(0, 4), index.subarray(8))
  index.writeUInt32LE(crc, 4)
  const later = [templates.stored, values.stored, patterns.stored, digits.stored]
  fs.writeFileSync(path, Buffer.concat([before, index, ...later]))
  return { offset, bytes: index.length, crc }
}

function askAll(index: SkipIndex, file: SegmentFile): void {
  for (let block = 0; block < Math.min(index.blockCount, blocksAsked); block++) {
    index.attributes(block)
    for (const predicate of predicates) {
      unlessCorrupt(() => verdictOf(index, block, predicate.alternatives[0]!, () => file))
    }
  }
}
