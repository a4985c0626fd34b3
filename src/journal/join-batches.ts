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
    joining ??= new Joining(batch.sequence(0))
    joining.add(batch)
    if (joining.isFull) {
      yield joining.finish()
      joining = undefined
    }
  }
  if (joining !== undefined) yield joining.finish()
}

class Joining {
  readonly #writer = new BatchWriter()
  readonly #firstSequence: Sequence
  /** One object for each, as the writer asks. */
  readonly #streams = new Map<string, Stream>()

  constructor(firstSequence: Sequence) {
    this.#firstSequence = firstSequence
  }

  get nextSequence(): Sequence {
    return this.#firstSequence + this.#writer.recordCount
  }

  get isFull(): boolean {
    return this.#writer.approximateBytes >= joinedBytesTarget
  }

  add(batch: Batch): void {
    const streams = batch.streams.map(stream => this.#interned(stream))
    for (let row = 0; row < batch.recordCount; row++) {
      this.#writer.add(batch.record(row), streams[batch.streamCodes[row]!]!)
    }
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
