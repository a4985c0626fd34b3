/** What moving to ClickHouse and back have alike. */
import type { Logger } from 'pino'
import type { Disk } from '../../../disk/disk.ts'
import type { Connection } from '../connection.ts'
import type { Layout } from '../layout.ts'
import type { ComparedDay } from './day-counts.ts'
import { patiently } from './patience.ts'
import type { DamagedBlock } from './segment-rows.ts'

export interface MoveProgress {
  readonly records: number
  readonly totalRecords: number
  /** Why it waits; undefined when it does not. */
  readonly waitsFor: string | undefined
}

export interface MoveOptions {
  readonly url: string
  readonly layout: Layout
  readonly dataDir: string
  readonly disk: Disk
  /** What the directory's recovery has to say. */
  readonly logger: Logger
  /** Ends it soon; what was done is not done again. */
  readonly signal: AbortSignal
  /** For how long in a row ClickHouse may fail, ms. */
  readonly patienceMs: number
  /** Told once, before anything is moved. */
  readonly onBegin: (sizes: MoveSizes) => void
  readonly onProgress: (progress: MoveProgress) => void
}

export interface MoveSizes {
  readonly records: number
  /** Of what is moved, where it is. */
  readonly bytes: number
  /** Of the disk that it goes to; undefined when that is not told. */
  readonly freeBytes: number | undefined
}

export interface MoveReport {
  /** `interrupted`: by the signal. `differs`: the counts. `damaged`: not all can be read. */
  readonly outcome: 'moved' | 'nothing' | 'interrupted' | 'differs' | 'damaged'
  readonly records: number
  readonly days: readonly ComparedDay[]
  readonly damaged: readonly DamagedBlock[]
}

export const nothing: MoveReport = { outcome: 'nothing', records: 0, days: [], damaged: [] }

/** What a move is not begun for; the message says what to do. */
export class MoveRefused extends Error {
  override readonly name = 'MoveRefused'
}

export abstract class Move<Options extends MoveOptions> {
  protected readonly options: Options
  protected readonly connection: Connection
  protected progress: MoveProgress = { records: 0, totalRecords: 0, waitsFor: undefined }

  constructor(options: Options, connection: Connection) {
    this.options = options
    this.connection = connection
  }

  /** Throws what `work` does; ClickHouseFailed when that does not pass soon enough. */
  patiently<Result>(work: (attempt: number) => Promise<Result>): Promise<Result> {
    const { patienceMs, signal } = this.options
    const onWait = (waitsFor: string | undefined) => this.tell({ waitsFor })
    return patiently({ forMs: patienceMs, signal, onWait }, work)
  }

  protected tell(change: Partial<MoveProgress>): void {
    this.progress = { ...this.progress, ...change }
    this.options.onProgress(this.progress)
  }

  protected interrupted(): MoveReport {
    return { ...nothing, outcome: 'interrupted', records: this.progress.records }
  }
}
