/**
 * Makes large batches of consecutive small ones. A service with single events has a few records per
 * frame, and tens of thousands of frames per file: as batches, each with its columns, they take ten
 * times the memory of their records, and every column of a block would be gathered from all of them.
 */
import type { Sequence, Stream } from '../record.ts'
import { Batch } from './batch-reader.ts'
import { BatchWriter } from './batch-writer.ts'

/** Batches of so many records pass as they are. */
const largeRecords = 512
/** Joined batches are as large as this; in characters of their texts, about. */
const joinedBytesTarget = 1024 * 1024

/** The same records in the same order, in fewer batches. */
export function* joinBatches(batches: Iterable<Batch>): Generator<Batch> {
  const writer = new BatchWriter()
  let joining: Joining | undefined
  for (const batch of batches) {
    const isLarge = batch.recordCount >= largeRecords
    // Sequences of a batch are consecutive: a frame that was lost between two keeps them apart.
    if (joining !== undefined && (isLarge || joining.nextSequence !== batch.sequence(0))) {
      yield joining.finish()
      joining = undefined
    }
    if (isLarge) {
      yield batch
      continue
    }
    joining ??= new Joining(writer, batch.sequence(0))
    joining.add(batch)
    if (joining.isFull) {
      yield joining.finish()
      joining = undefined
    }
  }
  if (joining !== undefined) yield joining.finish()
}

class Joining {
  readonly #writer: BatchWriter
  readonly #firstSequence: Sequence
  /** One object for each, as the writer asks. */
  readonly #streams = new Map<string, Stream>()

  constructor(writer: BatchWriter, firstSequence: Sequence) {
    this.#writer = writer
    this.#firstSequence = firstSequence
  }

  get nextSequence(): Sequence {
    return this.#firstSequence + this.#writer.recordCount
  }

  get isFull(): boolean {
    return this.#writer.approximateBytes >= joinedBytesTarget
  }

  add(batch: Batch): void {
    const writer = this.#writer
    const firstRow = writer.recordCount
    const streams = batch.streams.map(stream => this.#interned(stream))
    for (let row = 0; row < batch.recordCount; row++) {
      const stream = streams[batch.streamCodes[row]!]!
      writer.beginRecord(batch.timestamp(row), batch.level(row), stream)
    }
    writer.messages.appendColumn(firstRow, undefined, batch.message.texts)
    let bytes = batch.message.texts.bytes.length
    for (const name of batch.attributeNames) {
      const { rows, column } = batch.attribute(name)!
      writer.columns[writer.columnNumber(name)]!.appendColumn(firstRow, rows, column.texts)
      bytes += column.texts.bytes.length
    }
    writer.noteBytes(bytes)
  }

  finish(): Batch {
    const { payload, minTimestamp, maxTimestamp } = this.#writer.encode()
    const header = { firstSequence: this.#firstSequence, minTimestamp, maxTimestamp }
    return new Batch({ header, payload })
  }

  #interned(stream: Stream): Stream {
    const key = `${stream.service}\0${stream.environment}`
    const known = this.#streams.get(key)
    if (known !== undefined) return known
    this.#streams.set(key, stream)
    return stream
  }
}
