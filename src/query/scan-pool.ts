/**
 * The threads that scan. Each is a lane of its own (a Piscina pool of one), because the same block
 * always goes to the same lane: what a thread has decoded once, it finds in its cache again, and no
 * two threads hold the same.
 *
 * A query has one task at a time in each lane, so that the lanes' queues let several queries take
 * turns.
 *
 * Cancelling has two steps. A flag in shared memory, looked at between frames and blocks, ends a scan
 * within milliseconds. A worker that is still busy after a grace is ended and replaced: no single
 * record and no expression may hold a thread for longer.
 */
import { Piscina } from 'piscina'
import { smallThread } from '../threads/heap.ts'
import { threadProgram } from '../threads/stripped-sources.ts'
import type { ExportRows, ExportTask } from './export-task.ts'
import { packSources } from './packed-sources.ts'
import type {
  PackedScanTask,
  RebuildPart,
  RebuildResult,
  ScanResult,
  ScanTask,
} from './scan-task.ts'
import type { SourceRef } from './source.ts'

const graceMs = 250

/** The tasks of one query, all cancelled together. */
export interface ScanJob {
  readonly cancelled: Int32Array
  scan(lane: number, task: ScanTask): Promise<ScanResult>
  rebuild(lane: number, parts: readonly RebuildPart[]): Promise<RebuildResult>
  exportWindow(lane: number, task: ExportTask): Promise<ExportRows>
}

export interface ScanPoolOptions {
  readonly threads: number
  /** Memory for decoded columns, of all threads together. */
  readonly cacheBytes: number
}

export class ScanPool {
  readonly #lanes: readonly Piscina[]

  constructor({ threads, cacheBytes }: ScanPoolOptions) {
    const program = threadProgram(new URL('./scan-worker.ts', import.meta.url), {
      cacheBytes: Math.floor(cacheBytes / threads),
    })
    this.#lanes = Array.from(
      { length: threads },
      () =>
        new Piscina({
          ...program,
          minThreads: 1,
          maxThreads: 1,
          ...smallThread,
        }),
    )
  }

  get laneCount(): number {
    return this.#lanes.length
  }

  /** Tasks that wait for a thread. */
  get queueSize(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.queueSize, 0)
  }

  /** The lane whose cache a source belongs to. */
  laneOf(source: SourceRef): number {
    const place =
      source.kind === 'journal'
        ? source.file + source.offset
        : source.segment + source.directory.offset
    return hash(place) % this.#lanes.length
  }

  /**
   * Runs the tasks that `work` starts. When `signal` is aborted they are cancelled, and its reason
   * is thrown.
   */
  async run<T>(signal: AbortSignal, work: (job: ScanJob) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const cancelled = new Int32Array(new SharedArrayBuffer(4))
    const kill = new AbortController()
    let grace: NodeJS.Timeout | undefined
    const cancel = () => {
      Atomics.store(cancelled, 0, 1)
      grace = setTimeout(() => kill.abort(), graceMs)
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await work({
        cancelled,
        scan: (lane, { sources, ...task }) => {
          const packed: PackedScanTask = { ...task, sources: packSources(sources) }
          return this.#lanes[lane]!.run(packed, { name: 'scan', signal: kill.signal })
        },
        rebuild: (lane, parts) =>
          this.#lanes[lane]!.run(parts, { name: 'rebuild', signal: kill.signal }),
        exportWindow: (lane, task) =>
          this.#lanes[lane]!.run(task, { name: 'exportWindow', signal: kill.signal }),
      })
    } finally {
      clearTimeout(grace)
      signal.removeEventListener('abort', cancel)
      signal.throwIfAborted() // Whatever a cancelled task gave back is not the answer.
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map(lane => lane.destroy()))
  }
}

/** Spreads neighbouring places over the lanes (the finaliser of MurmurHash3, Appleby). */
function hash(place: number): number {
  let h = (place ^ (place / 2 ** 32)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
