/**
 * What of the journal queries see: ranges of its files, with an entry per stream, in memory. There are
 * few: a file is sealed soon after it is closed, and its ranges go when its segments take over.
 */
import type { EntryFilter, IndexEntry } from '../../index/entry.ts'
import type { JournalRef } from '../../index/source.ts'
import type { CommittedFrame } from '../../journal/journal.ts'
import { goesOn, type JournalRange, RangeBuilder } from '../../journal/range.ts'

/** The entries of a range, when it had so many bytes. */
interface RangeEntries {
  readonly bytes: number
  readonly entries: readonly IndexEntry[]
}

export class JournalRanges {
  readonly #files = new Map<number, JournalRange[]>()
  /** The last range that was begun by `add`. */
  #growing: RangeBuilder | undefined
  #recordCount = 0
  readonly #entries = new WeakMap<JournalRange, RangeEntries>()

  get recordCount(): number {
    return this.#recordCount
  }

  /** Numbers of the files that are in sight. */
  get files(): Iterable<number> {
    return this.#files.keys()
  }

  hasFile(file: number): boolean {
    return this.#files.has(file)
  }

  /** Where the ranges lie that are in sight now, in order of files. */
  refs(): JournalRef[] {
    const files = [...this.#files].sort(([one], [other]) => one - other)
    return files.flatMap(([file, ranges]) =>
      ranges.map(({ offset, bytes }): JournalRef => ({ kind: 'journal', file, offset, bytes })),
    )
  }

  /** Makes frames visible, in order of their place; a gap between two (damage) begins a new range. */
  add(frames: readonly CommittedFrame[]): void {
    for (const frame of frames) {
      if (this.#growing === undefined || !goesOn(this.#growing, frame)) {
        this.#growing = new RangeBuilder(frame.file, frame.offset)
        this.#show(this.#growing)
      }
      this.#growing.add(frame)
      this.#recordCount += frame.header.recordCount
    }
  }

  /** Makes a range visible that an earlier process left. */
  addWhole(range: JournalRange): void {
    this.#show(range)
    this.#recordCount += range.recordCount
  }

  #show(range: JournalRange): void {
    const ranges = this.#files.get(range.file)
    if (ranges === undefined) this.#files.set(range.file, [range])
    else ranges.push(range)
  }

  /** Takes a file out of sight: its segments have taken over. */
  dropFile(file: number): void {
    for (const range of this.#files.get(file) ?? []) this.#recordCount -= range.recordCount
    this.#files.delete(file)
    if (this.#growing?.file === file) this.#growing = undefined
  }

  entries(filter: EntryFilter): IndexEntry[] {
    const entries: IndexEntry[] = []
    const { streams, startTime, endTime, arrivedAfter = -1 } = filter
    for (const ranges of this.#files.values()) {
      for (const range of ranges) {
        if (range.maxSequence <= arrivedAfter) continue
        for (const entry of this.#entriesOf(range)) {
          const overlaps = entry.minTimestamp <= endTime && entry.maxTimestamp >= startTime
          if (overlaps && streams.matchesStream(entry.stream)) entries.push(entry)
        }
      }
    }
    return entries
  }

  /** Made once of a range that does not grow any more, as all but one are. */
  #entriesOf(range: JournalRange): readonly IndexEntry[] {
    const known = this.#entries.get(range)
    if (known?.bytes === range.bytes) return known.entries
    const { file, offset, bytes } = range
    const source = { kind: 'journal', file, offset, bytes } as const
    const entries = Array.from(range.streams, stream => {
      const { minTimestamp, maxTimestamp, recordCount } = stream
      const levelCounts = [...stream.levelCounts].flat()
      return { stream, minTimestamp, maxTimestamp, recordCount, levelCounts, source }
    })
    this.#entries.set(range, { bytes, entries })
    return entries
  }
}
