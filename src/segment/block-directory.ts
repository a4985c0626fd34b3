/**
 * A block's directory: what the block holds and where each piece of it lies. It follows the
 * block's last chunk and says all that is to know of the block without the rest of the file, so that
 * blocks can be found again when the footer is lost.
 */

import type { Encoding } from '../columns/column.ts'
import { sharedText } from '../columns/shared-text.ts'
import type { RecordTimes, Sequence, Stream } from '../record.ts'
import { checksumAt } from './checksum.ts'
import { type ChunkReference, compressions } from './chunk.ts'
import {
  type ChunkReferences,
  chunkNumbers,
  DirectoryNumbers,
  SomeChunks,
} from './directory-numbers.ts'
import { type Fields, packFields, unpackFields } from './packed-fields.ts'
import { SegmentCorrupt } from './segment-error.ts'
import type { SegmentFile } from './segment-file.ts'

export const columnRoles = ['timestamp', 'sequence', 'level', 'message', 'attribute'] as const
export type ColumnRole = (typeof columnRoles)[number]

/** Where a directory lies, its header included, and its checksum: enough to read and to trust it. */
export interface DirectoryReference {
  readonly offset: number
  readonly bytes: number
  readonly crc: number
}

/** Where a token filter lies: `pageCount` pages as `filter-pages.ts` says. */
export interface FilterReference {
  readonly offset: number
  readonly pageCount: number
}

/** What a block's directory says of the block and, once more, the footer of the segment. */
export interface BlockFacts extends RecordTimes {
  readonly stream: Stream
  readonly minSequence: Sequence
  readonly maxSequence: Sequence
  /** Records per level; only levels that occur. */
  readonly levelCounts: readonly (readonly [level: string, count: number])[]
  /** Undefined: none was made, so that every word may occur. No page: no word occurs. */
  readonly filter: FilterReference | undefined
}

export interface ColumnEntry {
  readonly role: ColumnRole
  /** The label: the attribute's name, or what the role is called in a query. */
  readonly name: string
  readonly encoding: Encoding
  /** Made and understood by the encoding alone. */
  readonly meta: unknown
  readonly valueCount: number
  /** A bitmap of the records that have a value; undefined when every one has. */
  readonly presence: ChunkReference | undefined
  readonly chunks: ChunkReferences
}

export interface BlockDirectory extends BlockFacts {
  readonly columns: readonly ColumnEntry[]
}

export const directoryMagic = Buffer.from('LSBD', 'latin1')
/** Magic, length and checksum, in front of the packed fields. */
export const directoryHeaderBytes = 12

/** The bytes of a directory that will be at `offset` of segment `number`, and how to find it. */
export function encodeDirectory(
  directory: BlockDirectory,
  number: number,
  offset: number,
): { bytes: Buffer; reference: DirectoryReference } {
  const packed = packFields([
    ...packFacts(directory),
    directory.stream.service,
    directory.stream.environment,
    directory.columns.map(packColumn),
  ])
  const header = Buffer.alloc(directoryHeaderBytes)
  directoryMagic.copy(header, 0)
  header.writeUInt32LE(packed.length, 4)
  const crc = checksumAt(number, offset, header.subarray(0, 8), packed)
  header.writeUInt32LE(crc, 8)
  const bytes = Buffer.concat([header, packed])
  return { bytes, reference: { offset, bytes: bytes.length, crc } }
}

/** Reads the directory that a reference points to. Throws SegmentCorrupt. */
export function readDirectory(file: SegmentFile, reference: DirectoryReference): BlockDirectory {
  const { offset } = reference
  const fail = (what: string) => new SegmentCorrupt(file.path, offset, what)
  if (reference.bytes < directoryHeaderBytes) throw fail('no directory is that short')
  const bytes = file.read(offset, reference.bytes)
  const packed = bytes.subarray(directoryHeaderBytes)
  const crc = checksumAt(file.number, offset, bytes.subarray(0, 8), packed)
  const isIntact =
    bytes.subarray(0, 4).equals(directoryMagic) &&
    bytes.readUInt32LE(4) === packed.length &&
    bytes.readUInt32LE(8) === crc
  if (!isIntact) throw fail('the directory of a block is damaged')
  if (reference.crc !== crc) throw fail('another directory was expected')
  const place = { path: file.path, offset, what: 'the directory of a block' }
  return unpackFields(packed, place, fields => {
    const facts = unpackFacts(fields)
    const stream = { service: sharedText(fields.text()), environment: sharedText(fields.text()) }
    const numbers = new DirectoryNumbers()
    const columns = fields.list().rest(column => new ReadColumn(column.list(), numbers, offset))
    numbers.close()
    return { ...facts, stream, columns }
  })
}

/** The reference to the directory whose header is in `header`, if that is what it is. */
export function claimedDirectory(header: Buffer, offset: number): DirectoryReference | undefined {
  if (header.length < directoryHeaderBytes || !header.subarray(0, 4).equals(directoryMagic)) {
    return undefined
  }
  const bytes = directoryHeaderBytes + header.readUInt32LE(4)
  return { offset, bytes, crc: header.readUInt32LE(8) }
}

/** A block's first byte, which its directory does not say: that of the first piece of it. */
export function blockOffset(directory: BlockDirectory, reference: DirectoryReference): number {
  let offset = directory.filter?.offset ?? reference.offset
  for (const { presence, chunks } of directory.columns) {
    const first = presence ?? chunks.at(0)
    if (first !== undefined) offset = Math.min(offset, first.offset)
  }
  return offset
}

/** The facts of a block but its stream, which the footer holds once for many blocks. */
export function packFacts(facts: BlockFacts): unknown[] {
  return [
    facts.recordCount,
    facts.minTimestamp,
    facts.maxTimestamp,
    facts.minSequence,
    facts.maxSequence,
    facts.levelCounts.flat(),
    facts.filter === undefined ? null : [facts.filter.offset, facts.filter.pageCount],
  ]
}

export function unpackFacts(fields: Fields): Omit<BlockFacts, 'stream'> {
  return {
    recordCount: fields.natural(),
    minTimestamp: fields.integer(),
    maxTimestamp: fields.integer(),
    minSequence: fields.natural(),
    maxSequence: fields.natural(),
    levelCounts: fields.list().rest(pair => [pair.text(), pair.natural()] as const),
    filter: unpackFilter(fields.optionalList()),
  }
}

function unpackFilter(fields: Fields | undefined): FilterReference | undefined {
  return fields && { offset: fields.natural(), pageCount: fields.natural() }
}

function packColumn(column: ColumnEntry): unknown[] {
  const { presence, chunks } = column
  return [
    columnRoles.indexOf(column.role),
    column.name,
    column.encoding,
    column.meta ?? null,
    column.valueCount,
    presence === undefined ? null : packChunkReference(presence),
    Array.from(chunks, packChunkReference).flat(),
  ]
}

/** A column of a directory that was read: one object, whatever describes it and however many chunks there
 *  are. */
class ReadColumn implements ColumnEntry {
  readonly role: ColumnRole
  readonly name: string
  readonly encoding: Encoding
  readonly valueCount: number
  /** What describes it, where that is no list of numbers. */
  readonly #otherMeta: unknown
  readonly #numbers: DirectoryNumbers
  /** Where its numbers begin: those that describe it, its presence, where it has one, and its chunks. */
  readonly #start: number
  readonly #metaLength: number
  readonly #hasPresence: boolean
  readonly #chunkCount: number

  constructor(fields: Fields, numbers: DirectoryNumbers, blockEnd: number) {
    this.role = fields.oneOf(columnRoles)
    this.name = sharedText(fields.text())
    // Which encodings exist is not known here: opening the column refuses unknown ones.
    this.encoding = sharedText(fields.text()) as Encoding
    const meta = fields.any()
    this.valueCount = fields.natural()
    this.#numbers = numbers
    this.#start = numbers.length
    if (isListOfNumbers(meta)) numbers.takeList(meta)
    else this.#otherMeta = meta
    this.#metaLength = numbers.length - this.#start
    const presence = fields.optionalList()
    this.#hasPresence = presence !== undefined
    if (presence !== undefined) numbers.takeChunk(presence, blockEnd)
    const chunksStart = numbers.length
    const chunks = fields.list()
    while (!chunks.isAtEnd) numbers.takeChunk(chunks, blockEnd)
    this.#chunkCount = (numbers.length - chunksStart) / chunkNumbers
  }

  get meta(): unknown {
    if (this.#metaLength === 0) return this.#otherMeta
    return this.#numbers.list(this.#start, this.#metaLength)
  }

  get presence(): ChunkReference | undefined {
    return this.#hasPresence ? this.#numbers.chunk(this.#start + this.#metaLength) : undefined
  }

  get chunks(): ChunkReferences {
    const start = this.#start + this.#metaLength + (this.#hasPresence ? chunkNumbers : 0)
    return new SomeChunks(this.#numbers, start, this.#chunkCount)
  }
}

/** Of one at least. */
function isListOfNumbers(meta: unknown): meta is readonly number[] {
  if (!Array.isArray(meta) || meta.length === 0) return false
  for (const field of meta) if (typeof field !== 'number') return false
  return true
}

function packChunkReference(chunk: ChunkReference): number[] {
  const { offset, storedBytes, rawBytes, crc, compression } = chunk
  return [offset, storedBytes, rawBytes, crc, compressions.indexOf(compression)]
}
