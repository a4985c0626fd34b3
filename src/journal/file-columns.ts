/**
 * All records of a journal file in columns of their own: what sealing reads. A service with single events
 * has a few records per frame, and tens of thousands of frames per file: as batches, each with its
 * columns, they would take ten times the memory of their records, and every column of a block would be
 * gathered from all of them.
 *
 * A column is some large arrays, which the system has back at once when it is freed: as many small ones,
 * they would keep the memory between them from other uses long after they are gone.
 */

import type { TextColumn } from '../columns/column.ts'
import { freeMemory, withRoom } from '../columns/growing-array.ts'
import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Sequence, Stream, Timestamp } from '../record.ts'
import type { Batch } from './batch-reader.ts'
import { ColumnWriter } from './column-writer.ts'

export class FileColumns {
  readonly levels: string[] = []
  readonly streams: Stream[] = []
  readonly #codes = { levels: new Map<string, number>(), streams: new Map<string, number>() }
  #count = 0
  #timestamps = new Float64Array(64)
  #sequences = new Float64Array(64)
  #levelCodes = new Uint8Array(64)
  #streamCodes = new Uint32Array(64)
  readonly #messages = new ColumnWriter()
  readonly #attributes = new Map<string, ColumnWriter>()

  get recordCount(): number {
    return this.#count
  }

  /** Adds the records of a batch after those that are there; the batch may then go. */
  add(batch: Batch): void {
    const first = this.#count
    this.#count += batch.recordCount
    this.#makeRoom(this.#count)
    const levelCodes = batch.levels.map(level =>
      codeOf(level, level, this.#codes.levels, this.levels),
    )
    const streamCodes = batch.streams.map(stream =>
      codeOf(`${stream.service}\0${stream.environment}`, stream, this.#codes.streams, this.streams),
    )
    for (let row = 0; row < batch.recordCount; row++) {
      this.#timestamps[first + row] = batch.timestamp(row)
      this.#sequences[first + row] = batch.sequence(row)
      this.#levelCodes[first + row] = levelCodes[batch.levelCodes[row]!]!
      this.#streamCodes[first + row] = streamCodes[batch.streamCodes[row]!]!
    }
    this.#messages.appendColumn(first, undefined, batch.message.texts)
    for (const name of batch.attributeNames) {
      const { rows, column } = batch.attribute(name)!
      this.#column(name).appendColumn(first, rows, column.texts)
    }
  }

  timestamp(row: number): Timestamp {
    return this.#timestamps[row]!
  }

  sequence(row: number): Sequence {
    return this.#sequences[row]!
  }

  level(row: number): string {
    return this.levels[this.#levelCodes[row]!]!
  }

  /** The number in `streams` of a record's stream. */
  streamCode(row: number): number {
    return this.#streamCodes[row]!
  }

  get message(): TextColumn {
    return this.#messages.texts()
  }

  /** For each stream, by its code, the names of the attributes that any of its records has. */
  attributeNamesByStream(): string[][] {
    const names = this.streams.map((): string[] => [])
    const isFound = new Uint8Array(this.streams.length)
    for (const [name, column] of this.#attributes) {
      isFound.fill(0)
      const rows = column.rows(this.#count)
      const count = rows?.length ?? this.#count
      let leftCount = this.streams.length
      for (let i = 0; i < count && leftCount > 0; i++) {
        const code = this.#streamCodes[rows === undefined ? i : rows[i]!]!
        if (isFound[code] === 1) continue
        isFound[code] = 1
        leftCount--
        names[code]!.push(name)
      }
    }
    return names
  }

  /** An attribute's texts, and the ascending rows that have them when not all do. */
  attribute(name: string): { texts: TextColumn; rows: Uint32Array | undefined } | undefined {
    const column = this.#attributes.get(name)
    return column && { texts: column.texts(), rows: column.rows(this.#count) }
  }

  /** Frees the memory; nothing can be asked for any more. */
  free(): void {
    for (const column of [this.#messages, ...this.#attributes.values()]) column.free()
    const ofRecords = [this.#timestamps, this.#sequences, this.#levelCodes, this.#streamCodes]
    for (const values of ofRecords) freeMemory(values)
  }

  #column(name: string): ColumnWriter {
    return getOrInsertComputed(this.#attributes, name, () => new ColumnWriter())
  }

  #makeRoom(count: number): void {
    this.#timestamps = withRoom(this.#timestamps, count)
    this.#sequences = withRoom(this.#sequences, count)
    this.#levelCodes = withRoom(this.#levelCodes, count)
    this.#streamCodes = withRoom(this.#streamCodes, count)
  }
}

/** The number of a value in `values`, where it is added when its key is new. */
function codeOf<Value>(
  key: string,
  value: Value,
  codes: Map<string, number>,
  values: Value[],
): number {
  return getOrInsertComputed(codes, key, () => values.push(value) - 1)
}
