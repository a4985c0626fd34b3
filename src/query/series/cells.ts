/**
 * The cells of a series query: a group in a bucket of time. Cells are numbered as they first occur, so
 * that many groups over many buckets take memory only where there are records.
 */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { limits } from '../../limits.ts'
import type { Timestamp } from '../../record.ts'
import { timesOf } from '../collect/histogram.ts'
import { rowGroups } from '../collect/label-codes.ts'
import { type Pieces, pieceAt, startOf } from './pieces.ts'

/** Bucket i holds the times from `origin + i * stepMs` up to, not including, the next one's. */
export interface SeriesBuckets {
  readonly origin: Timestamp
  /** At least 1. */
  readonly stepMs: number
  readonly pointCount: number
}

/** The cells of a batch's or block's records, in numbers of their own that have no gaps. */
export interface BlockCells {
  /** One per record; 0 for records that are not selected. Valid until the next call. */
  readonly codes: Uint32Array
  /** The cell with each of these numbers; that of 0 is `noCell`. */
  readonly cells: readonly number[]
}

/** Cells as they travel between threads. */
export interface PlainCells {
  readonly groups: readonly string[][]
  /** Of each cell; those of `noCell` mean nothing. */
  readonly groupOf: Uint32Array
  readonly bucketOf: Uint32Array
}

interface Group {
  readonly values: string[]
  /** Bucket to cell. */
  readonly cells: Map<number, number>
}

/** The cell of records that belong to none: what collects there is never asked for. */
export const noCell = 0

/** Possible cells of a block, for each record, up to which they are looked up in a table. */
const tablePerRecord = 4

export class SeriesCells {
  readonly #by: readonly string[]
  readonly #pieces: Pieces
  readonly #groups = new Map<string, Group>()
  #count = 1
  /** Characters of all label values. */
  #length = 0
  /** Used again from block to block. */
  #codes = new Uint32Array(0)

  constructor(by: readonly string[], pieces: Pieces) {
    this.#by = by
    this.#pieces = pieces
  }

  /** All cells, `noCell` among them: every number of a cell is below it. */
  get count(): number {
    return this.#count
  }

  get refusal(): string | undefined {
    const { querySeriesMax, groupsLengthMax, queryPointsMax } = limits
    const groupCount = Math.max(1, this.#groups.size)
    if (groupCount > querySeriesMax || this.#length > groupsLengthMax) {
      return (
        `the query makes more than ${querySeriesMax} series, or more than ${groupsLengthMax} ` +
        'characters of their labels; add matchers or group by less'
      )
    }
    if (groupCount * this.#pieces.pieceCount > queryPointsMax) {
      return (
        `the query makes more than ${queryPointsMax} points: ${groupCount} or more series of ` +
        `${this.#pieces.pieceCount}; ask for a longer step, add matchers or group by less`
      )
    }
    return undefined
  }

  /** The bucket of a time in range: the piece that it is in. */
  bucketAt(timestamp: Timestamp): number {
    return pieceAt(this.#pieces, timestamp)
  }

  /** The cell of a group in a bucket. */
  cell(values: string[], bucket: number): number {
    return this.#cellOf(this.#groupOfValues(values), bucket)
  }

  /** The cells of the selected records, all of them in range. */
  ofRecords(columns: RecordColumns, selected: Uint8Array): BlockCells {
    const { groupCount, codes: groupCodes, valuesOf } = rowGroups(this.#by, columns, selected)
    const pieces = this.#pieces
    const first = Math.max(0, this.bucketAt(columns.minTimestamp))
    const last = Math.min(pieces.pieceCount - 1, this.bucketAt(columns.maxTimestamp))
    const width = last - first + 1
    const times = width > 1 ? (columns.sortedTimes ?? timesOf(columns)) : undefined

    const codes = this.#room(selected.length)
    // Most blocks are of one group and, over a long time, of one bucket.
    if (groupCodes === undefined && times === undefined && selected.includes(1)) {
      codes.set(selected)
      return { codes, cells: [noCell, this.#cellOf(this.#groupOfValues(valuesOf(0)), first)] }
    }
    const numbering = new Numbering(groupCount * width, selected.length)
    const cells = [noCell]
    const groups = new Map<number, Group>()
    // Neighbours mostly share a bucket: its borders are compared instead of dividing each time.
    let bucket = first
    let start = startOf(pieces, bucket)
    let end = startOf(pieces, bucket + 1)
    for (let row = 0; row < codes.length; row++) {
      if (selected[row] === 0) {
        codes[row] = 0
        continue
      }
      if (times !== undefined) {
        const time = times.base + times.distances[row]!
        if (time >= end || time < start) {
          bucket = pieceAt(pieces, time)
          start = startOf(pieces, bucket)
          end = startOf(pieces, bucket + 1)
        }
      }
      const groupCode = groupCodes === undefined ? 0 : groupCodes[row]!
      const key = groupCode * width + (bucket - first)
      const known = numbering.get(key)
      if (known !== 0) {
        codes[row] = known
        continue
      }
      const group = groups.get(groupCode) ?? this.#groupOfValues(valuesOf(groupCode))
      groups.set(groupCode, group)
      codes[row] = cells.push(this.#cellOf(group, bucket)) - 1
      numbering.set(key, codes[row]!)
    }
    return { codes, cells }
  }

  /** Calls `visit` with the label values of each group, and its cells by their buckets. */
  forEachGroup(
    visit: (values: readonly string[], cells: ReadonlyMap<number, number>) => void,
  ): void {
    for (const { values, cells } of this.#groups.values()) visit(values, cells)
  }

  toPlain(): PlainCells {
    const groups = [...this.#groups.values()]
    const groupOf = new Uint32Array(this.count)
    const bucketOf = new Uint32Array(this.count)
    groups.forEach(({ cells }, group) => {
      for (const [bucket, cell] of cells) {
        groupOf[cell] = group
        bucketOf[cell] = bucket
      }
    })
    return { groups: groups.map(({ values }) => values), groupOf, bucketOf }
  }

  /** The cells here for each of the cells there. */
  addPlain({ groups, groupOf, bucketOf }: PlainCells): Uint32Array {
    const own = groups.map(values => this.#groupOfValues(values))
    const cells = new Uint32Array(groupOf.length)
    for (let cell = 1; cell < cells.length; cell++) {
      cells[cell] = this.#cellOf(own[groupOf[cell]!]!, bucketOf[cell]!)
    }
    return cells
  }

  #groupOfValues(values: string[]): Group {
    const key = values.length === 1 ? values[0]! : JSON.stringify(values)
    let group = this.#groups.get(key)
    if (group === undefined) {
      group = { values, cells: new Map() }
      this.#groups.set(key, group)
      for (const value of values) this.#length += value.length
    }
    return group
  }

  #cellOf({ cells }: Group, bucket: number): number {
    let cell = cells.get(bucket)
    if (cell === undefined) {
      cell = this.#count++
      cells.set(bucket, cell)
    }
    return cell
  }

  #room(recordCount: number): Uint32Array {
    if (this.#codes.length < recordCount) this.#codes = new Uint32Array(2 * recordCount)
    return this.#codes.subarray(0, recordCount)
  }
}

/** Numbers from 1 on for keys: in a table while that is not much larger than the block. */
class Numbering {
  readonly #table: Uint32Array | undefined
  readonly #map = new Map<number, number>()

  constructor(keyCount: number, recordCount: number) {
    if (keyCount <= tablePerRecord * recordCount + 1024) this.#table = new Uint32Array(keyCount)
  }

  /** 0 for a key without a number. */
  get(key: number): number {
    return this.#table === undefined ? (this.#map.get(key) ?? 0) : this.#table[key]!
  }

  set(key: number, number: number): void {
    if (this.#table === undefined) this.#map.set(key, number)
    else this.#table[key] = number
  }
}
