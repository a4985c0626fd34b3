/**
 * The skip index of a run of blocks: up to eight blocks of one stream that follow one another in a
 * segment. It says of each, without reading the block, whether its records can match: the letters of
 * its messages (`letter-runs.ts`), which attributes it has, where its token filter lies, and, in parts of
 * their own that are read when they are needed, the templates of the messages and how many have each, and
 * the same of the values of attributes that have few, and of the kinds of messages, and what stands around
 * digits (`digit-runs.ts`). All of it stands in the blocks, too. FORMAT.md has every byte.
 */
import type { Encoding, TemplateCount, ToldValues, ValueCounts } from '../../columns/column.ts'
import type { PatternTable } from '../../columns/patterns/told-patterns.ts'
import { PlainColumn } from '../../columns/plain.ts'
import { sharedText } from '../../columns/shared-text.ts'
import type { RecordTimes, Timestamp } from '../../record.ts'
import type { BlockFacts, DirectoryReference, FilterReference } from '../block-directory.ts'
import { checksumAt } from '../checksum.ts'
import { type ChunkReference, packChunk } from '../chunk.ts'
import { FilterRoom, filterPageBytes, KeptFilter } from '../filter-pages.ts'
import { packFields, unpackFields } from '../packed-fields.ts'
import { SegmentCorrupt, unlessCorrupt } from '../segment-error.ts'
import type { SegmentFile } from '../segment-file.ts'
import { decompressFrame } from '../zstd-frame.ts'
import type { DigitRuns } from './digit-runs.ts'
import { isLetterFilter, LetterRuns } from './letter-runs.ts'
import { encodeDigits, RunDigits } from './run-digits.ts'
import { encodePatterns, RunPatterns, type ToldPatterns } from './run-patterns.ts'
import { encodeTemplates, RunTemplates } from './run-templates.ts'
import { type AttributeValues, encodeValues, RunValues } from './run-values.ts'

/** Most blocks of a run: they share one list of templates, and are read together. */
export const runBlocksMax = 8

/** Where a skip index lies, without the parts that are read later, and its checksum. */
export type SkipReference = DirectoryReference

/** A run of blocks as the footer knows it. */
export interface RunSummary {
  readonly index: SkipReference
  /** Of what follows the rest and is read when it is needed: templates, values, patterns and digits. */
  readonly laterBytes: number
  readonly blockCount: number
}

/** The place of a block in a skip index. */
export interface SkipPlace {
  readonly index: SkipReference
  /** The number of the block in its run. */
  readonly block: number
}

/** What a skip index says of the texts of a column. */
export const textKinds = {
  /** No record of the block has any. */
  absent: 0,
  /** Their words are in the token filter of the block. */
  filtered: 1,
  /** There are some, and no filter tells what they say. */
  present: 2,
} as const

/**
 * The one of a column's texts. The token filter has the words of columns whose values it is not enough to
 * look at once each.
 */
export function textKindOf(
  encoding: Encoding | undefined,
  filter: FilterReference | undefined,
): number {
  if (encoding === undefined) return textKinds.absent
  const isFiltered = filter !== undefined && encoding !== 'constant' && encoding !== 'dictionary'
  return isFiltered ? textKinds.filtered : textKinds.present
}

/** The runs of letters in the messages of a block. */
export interface MessageLetters {
  readonly all: LetterRuns
  /** In what is no static part of a template. */
  readonly variable: LetterRuns
}

/** What a skip index holds for a block. */
export interface SkipBlock extends RecordTimes, Pick<BlockFacts, 'filter'> {
  readonly letters: MessageLetters
  /** Of the messages. */
  readonly digits: DigitRuns
  /** Of the messages, in the order of their numbers in the block; undefined where they have none. */
  readonly templates: readonly TemplateCount[] | undefined
  /** The kinds of the messages; undefined where there are many. */
  readonly patterns: PatternTable | undefined
  /** One of `textKinds`. */
  readonly messageKind: number
  /** Each name once. */
  readonly attributes: readonly SkipAttribute[]
}

export interface SkipAttribute {
  readonly name: string
  /** One of `textKinds`. */
  readonly kind: number
  /** Undefined where there are many. */
  readonly values: ValueCounts | undefined
}

/** Parts that are read when they are needed, in their order. */
const laterParts = ['templates', 'values', 'patterns', 'digits'] as const
/** Where the stored bytes, raw bytes and checksum of the first of them stand in the header, and how many
 *  bytes those of each take. */
const laterAt = 20
const laterFieldBytes = 12

/** How many of the later parts a skip index has, the newest first: what is written is the first. */
const forms = [
  { magic: 'LSST', headerBytes: 72, laterParts: 4, patterns: 'new' },
  { magic: 'LSSD', headerBytes: 72, laterParts: 4, patterns: 'old' },
  { magic: 'LSSP', headerBytes: 64, laterParts: 3, patterns: 'old' },
  { magic: 'LSSV', headerBytes: 48, laterParts: 2, patterns: 'old' },
  { magic: 'LSSK', headerBytes: 32, laterParts: 1, patterns: 'old' },
] as const
const [{ magic, headerBytes }] = forms
const skipMagic = Buffer.from(magic, 'latin1')
const headerBytesMin = 32
/** Numbers of a block: times, records, token filter. */
const numbersPerBlock = 5

/** The skip index of a run whose place is not known yet: all but its checksums. */
export interface PackedSkipIndex {
  readonly blockCount: number
  readonly header: Buffer
  readonly body: Buffer
  /** As they are stored. */
  readonly later: readonly Buffer[]
}

/** Packs the skip index of a run; `service`: of its records. */
export function packSkipIndex(blocks: readonly SkipBlock[], service: string): PackedSkipIndex {
  const names = new Map<string, number>()
  for (const { attributes } of blocks) {
    for (const { name } of attributes) if (!names.has(name)) names.set(name, names.size)
  }
  const packedNames = packFields([...names.keys()])
  const kindsPerBlock = 1 + names.size
  const kinds = Buffer.alloc(blocks.length * kindsPerBlock)
  const numbers = new Float64Array(blocks.length * numbersPerBlock)
  const variable = new LetterRuns()
  for (const { letters } of blocks) variable.addAll(letters.variable)
  const filters = [...blocks.map(({ letters }) => letters.all.folded()), variable.folded()]
  const lengths = Uint32Array.of(...filters.map(({ length }) => length), packedNames.length)
  blocks.forEach((block, i) => {
    const { minTimestamp, maxTimestamp, recordCount, filter, attributes } = block
    const ofFilter = filter === undefined ? [-1, 0] : [filter.offset, filter.pageCount]
    numbers.set([minTimestamp, maxTimestamp, recordCount, ...ofFilter], i * numbersPerBlock)
    kinds[i * kindsPerBlock] = block.messageKind
    for (const { name, kind } of attributes) {
      kinds[i * kindsPerBlock + 1 + names.get(name)!] = kind
    }
  })

  const valuesOf = ({ attributes }: SkipBlock) =>
    new Map(attributes.map(({ name, values }) => [name, values]))
  const texts = [
    encodeTemplates(blocks.map(block => block.templates)),
    encodeValues(blocks.map(valuesOf), [...names.keys()]),
    encodePatterns(
      blocks.map(block => block.patterns),
      service,
    ),
  ].map(raw => ({ raw, stored: packChunk(raw).stored }))
  // Not compressed: it would save a quarter, and take longer to read than all else that is asked of it.
  const digits = encodeDigits(blocks.map(block => block.digits))
  const later = [...texts, { raw: digits, stored: digits }]
  const parts = [numbers, lengths].map(array => Buffer.from(array.buffer))
  const body = Buffer.concat([...parts, ...filters, kinds, packedNames])
  const header = Buffer.alloc(headerBytes)
  skipMagic.copy(header)
  header.writeUInt32LE(headerBytes + body.length, 8)
  header.writeUInt32LE(blocks.length, 12)
  header.writeUInt32LE(names.size, 16)
  for (const [part, { raw, stored }] of later.entries()) {
    header.writeUInt32LE(stored.length, laterAt + part * laterFieldBytes)
    header.writeUInt32LE(raw.length, laterAt + part * laterFieldBytes + 4)
  }
  return { blockCount: blocks.length, header, body, later: later.map(({ stored }) => stored) }
}

/** The bytes of a skip index that will stand at `offset` of segment `number`, and what tells of it. */
export function placeSkipIndex(
  { blockCount, header, body, later }: PackedSkipIndex,
  number: number,
  offset: number,
): { bytes: Buffer; run: RunSummary } {
  const ownBytes = headerBytes + body.length
  let laterBytes = 0
  for (const [part, stored] of later.entries()) {
    const crc = checksumAt(number, offset + ownBytes + laterBytes, stored)
    header.writeUInt32LE(crc, laterAt + part * laterFieldBytes + 8)
    laterBytes += stored.length
  }
  const crc = checksumAt(number, offset, skipMagic, header.subarray(8), body)
  header.writeUInt32LE(crc, 4)
  const index = { offset, bytes: ownBytes, crc }
  const bytes = Buffer.concat([header, body, ...later])
  return { bytes, run: { index, laterBytes, blockCount } }
}

/** A part of a skip index that is read when it is needed. */
interface LaterPart extends Omit<ChunkReference, 'compression'> {
  readonly name: (typeof laterParts)[number]
}

export class SkipIndex {
  readonly blockCount: number
  readonly #path: string
  /** In the order of `laterParts`; fewer in an older form. */
  readonly #later: readonly LaterPart[]
  readonly #patternsForm: 'new' | 'old'
  readonly #numbers: Float64Array
  /** Of each block, and of the variables of all. */
  readonly #letters: Uint8Array[] = []
  readonly #kinds: Uint8Array
  readonly #names = new Map<string, number>()
  readonly #filterRoom: FilterRoom
  /** Of blocks that were asked for a page of theirs, by block: what a damaged file says of their number takes
   *  no memory. */
  readonly #filters = new Map<number, KeptFilter>()
  /** Of what is read at once. */
  readonly #ownBytes: number
  #templates: RunTemplates | undefined
  #values: RunValues | undefined
  #patterns: RunPatterns | undefined
  #digits: RunDigits | undefined

  /**
   * Reads all but the later parts: one read. `filterRoom`: for the blocks' token filters; absent: none are
   * kept. Throws SegmentCorrupt.
   */
  constructor(file: SegmentFile, reference: SkipReference, filterRoom = new FilterRoom(0)) {
    this.#filterRoom = filterRoom
    const { offset } = reference
    const fail = (what: string) => new SegmentCorrupt(file.path, offset, what)
    if (reference.bytes < headerBytesMin) throw fail('no skip index is that short')
    const bytes = file.read(offset, reference.bytes)
    const crc = checksumAt(file.number, offset, bytes.subarray(0, 4), bytes.subarray(8))
    const own = bytes.toString('latin1', 0, 4)
    const form = forms.find(({ magic }) => magic === own)
    if (form === undefined || bytes.readUInt32LE(4) !== crc) throw fail('a skip index is damaged')
    if (reference.crc !== crc) throw fail('another skip index was expected')
    this.#path = file.path
    this.blockCount = bytes.readUInt32LE(12)
    const nameCount = bytes.readUInt32LE(16)
    const { headerBytes: ownHeaderBytes, laterParts: partCount, patterns } = form
    this.#patternsForm = patterns
    if (bytes.length < ownHeaderBytes) throw fail('no skip index is that short')
    this.#later = placeParts(bytes, partCount, offset + reference.bytes)
    if (bytes.readUInt32LE(8) !== bytes.length) throw fail('a skip index has another length')

    const { blockCount } = this
    const lengthsAt = ownHeaderBytes + blockCount * numbersPerBlock * 8
    let at = lengthsAt + (blockCount + 2) * 4
    if (at > bytes.length) throw fail('a skip index is too short')
    this.#numbers = new Float64Array(bytes.buffer, ownHeaderBytes, blockCount * numbersPerBlock)
    if (!this.#numbers.every(Number.isSafeInteger)) throw fail('a skip index has odd numbers')
    for (let block = 0; block < blockCount; block++) {
      const { offset: filterOffset, pageCount } = this.filter(block) ?? { offset: 0, pageCount: 0 }
      const isBefore = pageCount >= 0 && filterOffset + pageCount * filterPageBytes <= offset
      if (!isBefore) throw fail('a token filter lies behind its block')
    }
    const lengths = new Uint32Array(bytes.buffer, lengthsAt, blockCount + 2)
    for (let i = 0; i <= blockCount; i++) {
      const letters = bytes.subarray(at, at + lengths[i]!)
      if (!isLetterFilter(letters)) throw fail('a filter of letters has no such length')
      this.#letters.push(letters)
      at += lengths[i]!
    }
    const kindCount = blockCount * (1 + nameCount)
    this.#kinds = bytes.subarray(at, at + kindCount)
    at += kindCount
    if (at + lengths[blockCount + 1]! !== bytes.length)
      throw fail('a skip index has another length')
    const place = { path: file.path, offset, what: 'a skip index' }
    unpackFields(bytes.subarray(at), place, fields => {
      for (const name of fields.rest(field => field.text())) {
        this.#names.set(sharedText(name), this.#names.size)
      }
    })
    if (this.#names.size !== nameCount) throw fail('a skip index has other attributes')
    const letterBytes = this.#letters.reduce((sum, { length }) => sum + length, 0)
    this.#ownBytes = 1_024 + this.#numbers.byteLength + letterBytes + this.#kinds.length
  }

  /** Of the later parts, as they stand in the file. */
  get laterBytes(): number {
    return this.#later.reduce((sum, { storedBytes }) => sum + storedBytes, 0)
  }

  /** Bytes of memory held, roughly. */
  get heldBytes(): number {
    let bytes = this.#ownBytes
    // In no array: it is asked for after each block of each question.
    bytes += this.#templates?.heldBytes ?? 0
    bytes += this.#values?.heldBytes ?? 0
    bytes += this.#patterns?.heldBytes ?? 0
    bytes += this.#digits?.heldBytes ?? 0
    for (const filter of this.#filters.values()) bytes += filter.heldBytes
    return bytes
  }

  /** Gives the memory of its token filters back to the room that they are kept in. */
  releaseFilters(): void {
    for (const filter of this.#filters.values()) filter.release()
  }

  minTimestamp(block: number): Timestamp {
    return this.#numbers[block * numbersPerBlock]!
  }

  maxTimestamp(block: number): Timestamp {
    return this.#numbers[block * numbersPerBlock + 1]!
  }

  recordCount(block: number): number {
    return this.#numbers[block * numbersPerBlock + 2]!
  }

  /** The token filter of a block; undefined when it has none. */
  filter(block: number): FilterReference | undefined {
    const at = block * numbersPerBlock + 3
    const offset = this.#numbers[at]!
    return offset < 0 ? undefined : { offset, pageCount: this.#numbers[at + 1]! }
  }

  /** A page of a block's token filter, valid until the next of any filter is asked for. Throws
   *  SegmentCorrupt. */
  filterPage(block: number, index: number, file: () => SegmentFile): Buffer {
    let kept = this.#filters.get(block)
    if (kept === undefined) {
      kept = new KeptFilter(this.filter(block)!, this.#filterRoom)
      this.#filters.set(block, kept)
    }
    return kept.page(index, file)
  }

  /** The letters of a block's messages, for `mayHoldRuns`. */
  letters(block: number): Uint8Array {
    return this.#letters[block]!
  }

  /** The letters of the variables of all messages of the run. */
  get variableLetters(): Uint8Array {
    return this.#letters[this.blockCount]!
  }

  /** One of `textKinds`. */
  messageKind(block: number): number {
    return this.#kinds[block * (1 + this.#names.size)]!
  }

  /** One of `textKinds`. */
  attributeKind(block: number, name: string): number {
    const number = this.#names.get(name)
    if (number === undefined) return textKinds.absent
    return this.#kinds[block * (1 + this.#names.size) + 1 + number]!
  }

  /** The attributes of a block, and what the index has of each. */
  attributes(block: number): [name: string, kind: number][] {
    const all = [...this.#names.keys()].map((name): [string, number] => [
      name,
      this.attributeKind(block, name),
    ])
    return all.filter(([, kind]) => kind !== textKinds.absent)
  }

  /** The templates of the run, read when they are first asked for. Throws SegmentCorrupt. */
  templates(file: () => SegmentFile): RunTemplates {
    this.#templates ??= this.#readTemplates(file())
    return this.#templates
  }

  /** The values of attributes that have few, read when they are first asked for. Throws SegmentCorrupt. */
  values(file: () => SegmentFile): RunValues {
    this.#values ??= this.#readValues(file())
    return this.#values
  }

  /** Those of one attribute in all blocks of the run; undefined: not in the index. */
  valuesOf(name: string, file: () => SegmentFile): AttributeValues | undefined {
    const number = this.#names.get(name)
    return number === undefined ? undefined : this.values(file).of(number)
  }

  /** The values that an attribute has in a block: none when no record has it; undefined: they
   *  are not in the index. Throws SegmentCorrupt. */
  toldValues(block: number, name: string, file: () => SegmentFile): ToldValues | undefined {
    if (this.attributeKind(block, name) === textKinds.absent) return noToldValues
    const values = this.valuesOf(name, file)
    return values && { texts: values.texts, counts: values.counts[block]! }
  }

  /** The kinds of the messages of a block, read when they are first asked for; undefined: they are not in
   *  the index. Throws SegmentCorrupt. */
  toldPatterns(block: number, file: () => SegmentFile): ToldPatterns | undefined {
    this.#patterns ??= this.#readPatterns(file())
    return this.#patterns.of(block)
  }

  /** Reads what rules blocks out before anybody asks, as far as it is intact. */
  readAhead(file: () => SegmentFile): void {
    unlessCorrupt(() => this.templates(file))
    unlessCorrupt(() => this.values(file))
    unlessCorrupt(() => this.digits(0, file))
  }

  /** Releases what `toldPatterns` has read. */
  releasePatterns(): void {
    this.#patterns = undefined
  }

  /** What stands around digits in the messages of a block, for `mayHoldRuns`, read when it is first asked
   *  for. Throws SegmentCorrupt. */
  digits(block: number, file: () => SegmentFile): Uint8Array {
    this.#digits ??= this.#readDigits(file())
    return this.#digits.of(block)
  }

  #readTemplates(file: SegmentFile): RunTemplates {
    return this.#read(file, this.#later[0]!, raw => new RunTemplates(raw, this.blockCount))
  }

  #readValues(file: SegmentFile): RunValues {
    const part = this.#later[1]
    if (part === undefined || part.rawBytes === 0) return noValues
    const { size } = this.#names
    return this.#read(file, part, raw => new RunValues(raw, this.#recordCounts, size))
  }

  #readPatterns(file: SegmentFile): RunPatterns {
    const part = this.#later[2]
    if (part === undefined || part.rawBytes === 0) return noPatterns
    const open = (raw: Buffer) => new RunPatterns(raw, this.#recordCounts, this.#patternsForm)
    return this.#read(file, part, open)
  }

  #readDigits(file: SegmentFile): RunDigits {
    const part = this.#later[3]
    if (part === undefined) return new RunDigits(Buffer.alloc(4 * this.blockCount), this.blockCount)
    return this.#read(file, part, raw => new RunDigits(raw, this.blockCount))
  }

  get #recordCounts(): number[] {
    return Array.from({ length: this.blockCount }, (_, block) => this.recordCount(block))
  }

  #read<Part>(file: SegmentFile, part: LaterPart, open: (raw: Buffer) => Part): Part {
    const { name, offset, storedBytes, rawBytes, crc } = part
    const stored = file.read(offset, storedBytes)
    if (checksumAt(file.number, offset, stored) !== crc) {
      throw new SegmentCorrupt(this.#path, offset, `the ${name} of a skip index are damaged`)
    }
    try {
      return open(storedBytes === rawBytes ? stored : decompress(stored, rawBytes))
    } catch (error) {
      const what = `the ${name} of a skip index cannot be read`
      throw new SegmentCorrupt(this.#path, offset, what, error)
    }
  }
}

const noToldValues: ToldValues = {
  texts: new PlainColumn({ offsets: Uint32Array.of(0), bytes: Buffer.alloc(0) }),
  counts: new Uint32Array(0),
}

const noValues = new RunValues(Buffer.alloc(0), [], 0)
const noPatterns = new RunPatterns(Buffer.alloc(0), [])

/** The first `count` of the later parts, by the header, the first of them at `offset`. */
function placeParts(header: Buffer, count: number, offset: number): LaterPart[] {
  let end = offset
  return laterParts.slice(0, count).map((name, part) => {
    const at = laterAt + part * laterFieldBytes
    const [storedBytes, rawBytes, crc] = [0, 4, 8].map(field => header.readUInt32LE(at + field))
    const place = { name, offset: end, storedBytes: storedBytes!, rawBytes: rawBytes!, crc: crc! }
    end += storedBytes!
    return place
  })
}

function decompress(stored: Buffer, rawBytes: number): Buffer {
  const raw = decompressFrame(stored, rawBytes)
  if (raw.length !== rawBytes) throw new RangeError(`${raw.length} bytes came out`)
  // Typed arrays lie in it.
  return raw.byteOffset % 8 === 0 ? raw : Buffer.from(raw)
}
