/** What an export sends to the scan threads, and what comes back: plain data, cloned or moved. */
import type { Timestamp } from '../record.ts'
import type { Selector } from './ast.ts'
import type { Order, RecordPlace } from './earliest.ts'
import type { DamagedBlock, ScanSource } from './scan-task.ts'

export type ExportFormat = 'ndjson' | 'csv'

export interface ExportQuery {
  readonly selector: Selector
  /** Both inclusive. */
  readonly startTime: Timestamp
  readonly endTime: Timestamp
  readonly order: Order
  readonly format: ExportFormat
}

/** A part of the time of an export, both ends inclusive. */
export interface ExportWindow {
  readonly from: Timestamp
  readonly to: Timestamp
  /** Records of the window up to this place were given already. */
  readonly after: RecordPlace | undefined
}

export interface ExportSource extends ScanSource {
  /** Of the records in it that may match. */
  readonly minTimestamp: Timestamp
  readonly maxTimestamp: Timestamp
  readonly recordCount: number
}

export interface ExportTask {
  readonly query: ExportQuery
  readonly window: ExportWindow
  readonly sources: readonly ExportSource[]
  /** Shared memory for the text, the task's own until its result was used. */
  readonly target: Uint8Array
  /** One integer in shared memory; not zero: the answer is no longer wanted. */
  readonly cancelled: Int32Array
}

/** Records of a window as text, in order. */
export interface ExportRows {
  readonly timestamps: Float64Array
  readonly sequences: Float64Array
  /** Where the text of each record ends; it begins where that of the one before ends. */
  readonly ends: Uint32Array
  /** The text; undefined when it stands in the task's `target`. */
  readonly bytes: Uint8Array | undefined
  /** Whether the window has more, behind the last of these. */
  readonly isCut: boolean
  /** What could not be read: then the rows are not all there are. */
  readonly damagedFrames: number
  readonly damagedBlocks: readonly DamagedBlock[]
}
