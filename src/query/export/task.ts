/**
 * What an export sends to the scan threads, and what comes back: plain data, cloned, and rows in shared
 * memory. Clones of the rows would be tens of megabytes of garbage before the collector comes.
 */

import type { Selector } from '../../language/ast.ts'
import type { TimeRange, Timestamp } from '../../record.ts'
import type { TurnBounds } from '../../threads/turn.ts'
import type { Chosen } from '../chosen.ts'
import type { DamagedBlock, ScanSource } from '../scan-task.ts'
import type { Order, RecordPlace } from '../top-k.ts'
import type { WindowSource } from './windows.ts'

export type ExportFormat = 'ndjson' | 'csv'

export interface ExportQuery extends TimeRange {
  readonly selector: Selector
  readonly order: Order
  readonly format: ExportFormat
  /** Only these records are given; absent for all. A query with stages. */
  readonly chosen?: Chosen
}

/** A part of the time of an export, both ends inclusive. */
export interface ExportWindow {
  readonly from: Timestamp
  readonly to: Timestamp
  /** Records of the window up to this place were given already. */
  readonly after: RecordPlace | undefined
}

export interface ExportSource extends ScanSource, WindowSource {}

/** Rows that a task returns, at most: some ten milliseconds of a thread. */
export const taskRowsMax = 8 * 1024

/** Shared memory for the rows of a task, its own until its result was used. */
export interface ExportTarget {
  readonly timestamps: Float64Array
  readonly sequences: Float64Array
  /** Where the text of each row ends; it begins where that of the one before ends. */
  readonly ends: Uint32Array
  readonly text: Uint8Array
}

/**
 * Memory that a task of an export fills and whoever merges reads, for at most `taskRowsMax` rows whose text
 * takes `textBytes`.
 */
export function sharedTarget(textBytes: number): ExportTarget {
  const shared = (bytes: number) => new SharedArrayBuffer(bytes)
  return {
    timestamps: new Float64Array(shared(taskRowsMax * Float64Array.BYTES_PER_ELEMENT)),
    sequences: new Float64Array(shared(taskRowsMax * Float64Array.BYTES_PER_ELEMENT)),
    ends: new Uint32Array(shared(taskRowsMax * Uint32Array.BYTES_PER_ELEMENT)),
    text: new Uint8Array(shared(textBytes)),
  }
}

export interface ExportTask {
  readonly query: ExportQuery
  readonly window: ExportWindow
  readonly sources: readonly ExportSource[]
  readonly target: ExportTarget
  /** When it is over, all of the task is given up. */
  readonly turn: TurnBounds
}

/** What is in the task's target: records of its window as text, in order. */
export interface ExportRows {
  readonly count: number
  /** The text of a record that is longer than the target; undefined when it is in there. */
  readonly longText: Uint8Array | undefined
  /** Whether the window has more, after the last of these. */
  readonly isCut: boolean
  /** What could not be read: then the rows are not all there are. */
  readonly damagedFrames: number
  readonly damagedBlocks: readonly DamagedBlock[]
}
