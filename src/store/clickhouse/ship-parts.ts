/**
 * How a journal file is cut into inserts: the same in each attempt, because an insert that is sent again is
 * known by its token. A part is the frames that begin in one stretch of the file, wherever others were
 * damaged since; in it, each day with many records is an insert, and all other days are one together.
 */
import type { Disk } from '../../disk/disk.ts'
import type { ReadWindow } from '../../disk/read-window.ts'
import { Batch } from '../../journal/batch-reader.ts'
import type { FrameReceipts } from '../../journal/receipts.ts'
import { receiptsOfBatch } from '../../journal/receipts.ts'
import { intactFrames, type RecoveredFrame } from '../../journal/recover.ts'
import type { Sequence } from '../../record.ts'
import { dayOfRow } from './row-times.ts'

/** Bytes of a file whose frames are one part: some 40,000 records, which ClickHouse holds in memory. */
const partBytes = 8 * 1024 * 1024

/** Days of a part that are an insert each. Senders may claim any time: more are one insert together. */
const ownDaysMax = 16

export interface JournalFile {
  readonly path: string
  readonly file: number
}

export interface Part {
  readonly number: number
  /** Where its first frame begins in the file, and where its last one ends. */
  readonly from: number
  readonly to: number
  readonly firstSequence: Sequence
  readonly lastSequence: Sequence
  readonly inserts: readonly DaysOfPart[]
}

/** One insert. */
export interface DaysOfPart {
  /** The one day, since 1970; undefined: all but `otherThan`. */
  readonly day: number | undefined
  readonly otherThan: ReadonlySet<number>
  readonly recordCount: number
}

/** The parts of a file, in order, read through `window`. `onReceipts` is given those of each frame. */
export function partsOfFile(
  journal: JournalFile,
  disk: Disk,
  window: ReadWindow,
  onReceipts: (receipts: FrameReceipts) => void,
): Part[] {
  const parts: GrowingPart[] = []
  for (const frame of intactFrames(journal.path, journal.file, disk, 0, window)) {
    const receipts = receiptsOfBatch(frame.payload)
    if (receipts !== undefined) onReceipts(receipts)
    const number = Math.floor(frame.offset / partBytes)
    let part = parts.at(-1)
    if (part?.number !== number) {
      part = new GrowingPart(number, frame)
      parts.push(part)
    }
    part.add(frame)
  }
  return parts.map(part => part.end())
}

/** The batches of a part, read through `window`. Each is valid until the next is asked for. */
export function* batchesOf(
  { path, file }: JournalFile,
  part: Part,
  disk: Disk,
  window: ReadWindow,
): Generator<Batch> {
  for (const frame of intactFrames(path, file, disk, part.from, window)) {
    if (frame.offset >= part.to) return
    yield new Batch(frame)
  }
}

/** Whether an insert has the records of a day. */
export function isOfInsert({ day, otherThan }: DaysOfPart, asked: number): boolean {
  return day === undefined ? !otherThan.has(asked) : day === asked
}

/** The inserts of records that go together, of which each day has so many. */
export function insertsOf(counts: ReadonlyMap<number, number>): DaysOfPart[] {
  const days = [...counts].sort(([a, n], [b, m]) => m - n || a - b)
  const own = days.length > ownDaysMax ? days.slice(0, ownDaysMax - 1) : days
  const others = days.slice(own.length)
  const inserts: DaysOfPart[] = own
    .toSorted(([a], [b]) => a - b)
    .map(([day, recordCount]) => ({ day, otherThan: new Set(), recordCount }))
  if (others.length > 0) {
    const recordCount = others.reduce((sum, [, count]) => sum + count, 0)
    inserts.push({ day: undefined, otherThan: new Set(own.map(([day]) => day)), recordCount })
  }
  return inserts
}

class GrowingPart {
  readonly number: number
  readonly #from: number
  readonly #firstSequence: Sequence
  #to = 0
  #lastSequence: Sequence = 0
  readonly #counts = new Map<number, number>()

  constructor(number: number, { offset, header }: RecoveredFrame) {
    this.number = number
    this.#from = offset
    this.#firstSequence = header.firstSequence
  }

  add(frame: RecoveredFrame): void {
    const { offset, bytes, header } = frame
    this.#to = offset + bytes
    this.#lastSequence = header.firstSequence + header.recordCount - 1
    const day = dayOfRow(header.minTimestamp)
    if (day === dayOfRow(header.maxTimestamp)) {
      this.#count(day, header.recordCount)
      return
    }
    const batch = new Batch(frame)
    for (let row = 0; row < batch.recordCount; row++) this.#count(dayOfRow(batch.timestamp(row)), 1)
  }

  #count(day: number, records: number): void {
    this.#counts.set(day, (this.#counts.get(day) ?? 0) + records)
  }

  end(): Part {
    return {
      number: this.number,
      from: this.#from,
      to: this.#to,
      firstSequence: this.#firstSequence,
      lastSequence: this.#lastSequence,
      inserts: insertsOf(this.#counts),
    }
  }
}
