/**
 * The threads that scan. Each is a lane of its own (a Piscina pool of one), because the same block
 * always goes to the same lane: what a thread has decoded once, it finds in its cache again, and no
 * two threads hold the same.
 *
 * A query has one task at a time in each lane, so that the lanes' queues let several queries take
 * turns. A task that finds that it would hold its thread for long gives up, and the query goes on at
 * the long pace: in another thread of the lane, which starts when it is needed, and to which the system
 * gives less of the processors than to all others. There long queries keep only each other waiting.
 *
 * Cancelling has two steps. A flag in shared memory, looked at between frames and blocks and while
 * expressions are matched, ends a scan within milliseconds. A worker that is still busy after a grace
 * is ended and replaced: no single record may hold a thread for longer.
 */

import type { SourceRef } from '../index/source.ts'
import { threadProgram } from '../threads/program.ts'
import type { ExportRows, ExportTask } from './export/task.ts'
import { LaneThread } from './lane-thread.ts'
import { packSources } from './packed-sources.ts'
import type {
  PackedScanTask,
  RebuildResult,
  RebuildTask,
  ScanResult,
  ScanTask,
} from './scan-task.ts'

const graceMs = 250
/** A query that takes longer lets others have a turn, ms. */
const turnMs = 50
/** A query that selects from one block, or frame, for longer goes on at the long pace, ms, even when
 *  nobody waits: it begins anew with that block, and the more is lost the later. */
const longMs = 250
/** Time without a task after which the thread for long queries ends, ms. It starts in 0.1 s. */
const longIdleMs = 10_000
/** Of the memory for decoded columns of the lane's usual thread. */
const longCacheShare = 1 / 4

/** How much less urgent the threads are than the one that takes events: next to it, when there are
 *  processors for one of them only, usual queries get a third, long ones a tenth. Sealing has 5. */
const niceness = { usual: 3, long: 10 } as const

/** `usual`: tasks that take turns. `long`: tasks of queries that would hold up those. */
export type Pace = 'usual' | 'long'

/** The tasks of one query, all cancelled together. */
export interface ScanJob {
  readonly cancelled: Int32Array
  scan(lane: number, pace: Pace, task: Omit<ScanTask, 'turn'>): Promise<ScanResult>
  rebuild(lane: number, task: RebuildTask): Promise<RebuildResult>
  exportWindow(
    lane: number,
    pace: Pace,
    task: Omit<ExportTask, 'turn'>,
  ): Promise<ExportRows | 'long'>
}

/** The threads of one lane. */
type Lane = Readonly<Record<Pace, LaneThread>>

export interface ScanPoolOptions {
  readonly threads: number
  /** Memory for decoded columns, of all threads together. */
  readonly cacheBytes: number
}

export class ScanPool {
  readonly #lanes: readonly Lane[]

  constructor({ threads, cacheBytes }: ScanPoolOptions) {
    const program = (workerData: Readonly<Record<string, unknown>>) =>
      threadProgram('./scan-worker.ts', import.meta.url, workerData)
    const laneBytes = Math.floor(cacheBytes / threads)
    const longBytes = Math.floor(laneBytes * longCacheShare)
    const usual = program({ cacheBytes: laneBytes, niceness: niceness.usual })
    const long = program({ cacheBytes: longBytes, niceness: niceness.long })
    this.#lanes = Array.from({ length: threads }, () => ({
      usual: new LaneThread({ ...usual, minThreads: 1 }, { turnMs, longMs }),
      long: new LaneThread(
        { ...long, minThreads: 0, idleTimeout: longIdleMs },
        { turnMs, longMs: Number.POSITIVE_INFINITY },
      ),
    }))
  }

  get laneCount(): number {
    return this.#lanes.length
  }

  /** Tasks that wait for a thread. */
  get queueSize(): number {
    return this.#lanes.reduce((sum, { usual, long }) => sum + usual.queueSize + long.queueSize, 0)
  }

  /** The lane whose cache a source belongs to: the same for all blocks that one skip index tells of. */
  laneOf(source: SourceRef): number {
    const place =
      source.kind === 'journal'
        ? source.file + source.offset
        : source.segment + (source.skip?.index ?? source.directory).offset
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
        scan: (lane, pace, { sources, ...task }) => {
          const thread = this.#lanes[lane]![pace]
          const turn = thread.turn(cancelled)
          const packed: PackedScanTask = { ...task, sources: packSources(sources), turn }
          return thread.run('scan', packed, kill.signal)
        },
        rebuild: (lane, task) => this.#lanes[lane]!.usual.run('rebuild', task, kill.signal),
        exportWindow: (lane, pace, task) => {
          const thread = this.#lanes[lane]![pace]
          const asked: ExportTask = { ...task, turn: thread.turn(cancelled) }
          return thread.run('exportWindow', asked, kill.signal)
        },
      })
    } finally {
      clearTimeout(grace)
      signal.removeEventListener('abort', cancel)
      signal.throwIfAborted() // Whatever a cancelled task gave back is not the answer.
    }
  }

  /** Lets go of what is decoded of segments that are gone. No query that reads them is under way. (The
   *  threads for long queries hold little, and not for long.) */
  forgetSegments(segments: ReadonlySet<number>): void {
    for (const { usual } of this.#lanes) usual.tell('forgetSegments', segments)
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.flatMap(({ usual, long }) => [usual.close(), long.close()]))
  }
}

/** Spreads neighbouring places over the lanes (the finaliser of MurmurHash3, Appleby). */
function hash(place: number): number {
  let h = (place ^ (place / 2 ** 32)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
