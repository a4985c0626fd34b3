/**
 * Rows of ClickHouse's RowBinary as records of a batch: from bytes to columns, without an object or a text
 * of any record. Rows come in chunks that may end anywhere.
 */
import type { BatchWriter } from '../../journal/batch-writer.ts'
import { PackedNames } from '../../journal/packed-names.ts'
import type { Sequence, Stream } from '../../record.ts'
import { varintAt, varintBytes } from './varint.ts'

/** What is asked of ClickHouse, in the order in which each row has it. */
export const fetchedColumns = [
  ...['Time', 'Sequence', 'ServiceName', 'Environment', 'Level', 'Body', 'LogAttributes'],
] as const

/** The name of an attribute, and the number of its column in the batch that had it last. */
interface AttributeName {
  readonly name: string
  batch: number
  column: number
}

/** Names of attributes that are remembered, about; senders may make them up as they go. */
const namesMax = 50_000

export class RowReader {
  readonly #writer: BatchWriter
  readonly #onRecord: (sequence: Sequence) => void
  #names = new PackedNames<AttributeName>(bytes => this.#newName(bytes))
  #nameCount = 0
  readonly #texts = new PackedNames(bytes => bytes.toString('utf8'))
  readonly #streams = new Map<string, Map<string, Stream>>()
  /** The beginning of a row that has not come whole. */
  #rest: Buffer = Buffer.alloc(0)
  #bytes = this.#rest
  #at = 0

  /** `onRecord` is told of each record that is in `writer` now, by its sequence. */
  constructor(writer: BatchWriter, onRecord: (sequence: Sequence) => void) {
    this.#writer = writer
    this.#onRecord = onRecord
  }

  add(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    this.#bytes = bytes
    let at = 0
    for (let end = endOfRow(bytes, at); end !== -1; end = endOfRow(bytes, at)) {
      this.#at = at
      this.#read()
      at = end
    }
    if (this.#nameCount > namesMax) {
      this.#names = new PackedNames(name => this.#newName(name))
      this.#nameCount = 0
    }
    this.#rest = at === bytes.length ? Buffer.alloc(0) : bytes.subarray(at)
  }

  /** Throws when the rows have ended in the middle of one. */
  end(): void {
    if (this.#rest.length > 0) throw new Error('the answer of ClickHouse ended in a row')
  }

  #read(): void {
    const bytes = this.#bytes
    const writer = this.#writer
    const timestamp = Number(bytes.readBigInt64LE(this.#at))
    const sequence = Number(bytes.readBigUInt64LE(this.#at + 8))
    this.#at += 16
    const stream = this.#stream(this.#name(this.#texts), this.#name(this.#texts))
    const row = writer.beginRecord(timestamp, this.#name(this.#texts), stream)
    const length = this.#varint()
    writer.messages.appendBytes(row, bytes, this.#at, this.#at + length)
    this.#at += length
    const begin = this.#at
    for (let left = this.#varint(); left > 0; left--) {
      const name = this.#name(this.#names)
      if (name.batch !== writer.batch) {
        name.column = writer.columnNumber(name.name)
        name.batch = writer.batch
      }
      const valueLength = this.#varint()
      writer.columns[name.column]!.appendBytes(row, bytes, this.#at, this.#at + valueLength)
      this.#at += valueLength
    }
    writer.noteBytes(length + this.#at - begin)
    this.#onRecord(sequence)
  }

  #newName(bytes: Buffer): AttributeName {
    this.#nameCount++
    return { name: bytes.toString('utf8'), batch: -1, column: 0 }
  }

  #name<T>(known: PackedNames<T>): T {
    const length = this.#varint()
    this.#at += length
    return known.find(this.#bytes, this.#at - length, this.#at)
  }

  #stream(service: string, environment: string): Stream {
    const ofService = this.#streams.get(service) ?? new Map<string, Stream>()
    const stream = ofService.get(environment) ?? { service, environment }
    this.#streams.set(service, ofService.set(environment, stream))
    return stream
  }

  #varint(): number {
    const value = varintAt(this.#bytes, this.#at)
    this.#at += varintBytes(value)
    return value
  }
}

/** Where the row that begins at `at` ends; -1 when that has not come. */
function endOfRow(bytes: Buffer, start: number): number {
  const fixedBytes = 16
  const textCount = 4
  let at = start + fixedBytes
  for (let i = 0; i < textCount; i++) {
    at = endOfText(bytes, at)
    if (at === -1) return -1
  }
  const pairs = varintAt(bytes, at)
  if (pairs === -1) return -1
  at += varintBytes(pairs)
  for (let i = 0; i < 2 * pairs; i++) {
    at = endOfText(bytes, at)
    if (at === -1) return -1
  }
  return at
}

function endOfText(bytes: Buffer, at: number): number {
  const length = varintAt(bytes, at)
  if (length === -1) return -1
  const end = at + varintBytes(length) + length
  return end <= bytes.length ? end : -1
}
