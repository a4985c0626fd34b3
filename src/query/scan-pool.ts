/**
 * The threads that scan. Each is a lane of its own (a Piscina pool of one), because the same block
 * always goes to the same lane: what a thread has decoded once, it finds in its cache again, and no
 * two threads hold the same.
 *
 * A query has one task at a time in each lane, so that the lanes' queues let several queries take
 * turns. A task that finds that it would hold its thread for long makes its selection part by part, and
 * goes on where it was after each turn of others. Only where a single text takes too long does the query
 * continue at low priority: in another thread of the lane, which starts when it is needed, and which the
 * system grants less processor time than all others. There, such queries keep only each other waiting.
 *
 * Cancelling has two steps. A flag in shared memory, looked at between frames and blocks and while
 * expressions are matched, ends a scan within milliseconds. A worker that is still busy after a grace
 * is ended and replaced: no single record may hold a thread for longer.
 */

import type { SourceRef } from '../index/source.ts'
import type { PlainBlockFilters } from '../segment/skip/run-filters.ts'
import { threadProgram } from '../threads/program.ts'
import type { TurnBounds } from '../threads/turn.ts'
import type { ExportRows, ExportTask } from './export/task.ts'
import { Kill, LaneThread } from './lane-thread.ts'
import type { LevelEnd } from './level-ends.ts'
import { unpackCandidates } from './packed-candidates.ts'
import { unpackRecords } from './packed-records.ts'
import { packSources } from './packed-sources.ts'
import type {
  PackedRebuildResult,
  PackedScanResult,
  PackedScanTask,
  RebuildResult,
  RebuildTask,
  ScanResult,
  ScanSource,
  ScanTask,
} from './scan-task.ts'
import { newSharedBound, sharedBoundBytes } from './shared-bound.ts'

const graceMs = 250
/** A query that takes longer lets others have a turn, ms; and one for whose answer nobody waits. */
const turnMs = 50
const ownTurnMs = 5
/** A query that selects from one block, or frame, for longer than this, ms, begins anew with it, part by
 *  part, even when nobody waits: the later, the more is lost when somebody does. */
const longMs = 250
/** Time without a task after which the low-priority thread ends, ms. It starts in 0.1 s. */
const lowIdleMs = 10_000
/** Of the memory for decoded columns of the lane's thread of normal priority. */
const lowCacheShare = 1 / 4

/**
 * Segments that a lane keeps open from task to task. None are open in a thread of low priority after its
 * task, since only others are told of segments that are deleted.
 */
const filesMax = { normal: 64, low: 0 } as const

/** How much less urgent the threads are than the one that takes events: next to it, when there are
 *  processors for one of them only, queries of normal priority get a third, long ones a tenth. Sealing
 *  has 5. */
const niceness = { normal: 3, low: 10 } as const

/** `normal`: tasks that take turns. `low`: tasks of queries of which single texts hold those up. */
export type Priority = 'normal' | 'low'

/** The tasks of one query, all cancelled together. */
export interface ScanJob {
  readonly cancelled: Int32Array
  /** For `SharedBound`. */
  readonly sharedBound: BigInt64Array
  scan(lane: number, priority: Priority, task: Omit<ScanTask, 'turn'>): Promise<ScanResult>
  rebuild(lane: number, task: RebuildTask): Promise<RebuildResult>
  exportWindow(
    lane: number,
    priority: Priority,
    task: Omit<ExportTask, 'turn'>,
  ): Promise<ExportRows | 'long'>
  /** What is told of the levels of each source. */
  levelEnds(lane: number, sources: readonly ScanSource[]): Promise<(LevelEnd[] | undefined)[]>
  /** The filters of all blocks of a block's run; undefined where they cannot be read. */
  runFilters(lane: number, source: ScanSource): Promise<PlainBlockFilters[] | undefined>
}

/** The threads of one lane. */
type Lane = Readonly<Record<Priority, LaneThread>>

export interface ScanPoolOptions {
  readonly threads: number
  /** Memory for decoded columns, of all threads together. */
  readonly cacheBytes: number
}

/** The threads, for who runs queries. */
export type ScanLanes = Pick<ScanPool, 'laneCount' | 'laneOf' | 'run'>

export class ScanPool {
  readonly #lanes: readonly Lane[]

  constructor({ threads, cacheBytes }: ScanPoolOptions) {
    const program = (workerData: Readonly<Record<string, unknown>>) =>
      threadProgram('./scan-worker.ts', import.meta.url, workerData)
    const laneBytes = Math.floor(cacheBytes / threads)
    const lowBytes = Math.floor(laneBytes * lowCacheShare)
    const threadOf = (priority: Priority, cacheBytes: number) =>
      program({ cacheBytes, niceness: niceness[priority], filesMax: filesMax[priority] })
    const normal = threadOf('normal', laneBytes)
    const low = threadOf('low', lowBytes)
    this.#lanes = Array.from({ length: threads }, () => ({
      normal: new LaneThread({ ...normal, minThreads: 1 }, { turnMs, longMs }),
      low: new LaneThread(
        { ...low, minThreads: 0, idleTimeout: lowIdleMs },
        { turnMs, longMs: Number.POSITIVE_INFINITY },
      ),
    }))
  }

  get laneCount(): number {
    return this.#lanes.length
  }

  /** Tasks that wait for a thread. */
  get queueSize(): number {
    return this.#lanes.reduce((sum, { normal, low }) => sum + normal.queueSize + low.queueSize, 0)
  }

  /** The lane whose cache a source belongs to: the same for all blocks that one skip index describes. */
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
  run<T>(signal: AbortSignal, work: (job: ScanJob) => Promise<T>): Promise<T> {
    return this.#run(signal, work)
  }

  /** The same threads for questions of the service's own: who asks meanwhile has the next turn at once. */
  get givingWay(): ScanLanes {
    return {
      laneCount: this.laneCount,
      laneOf: source => this.laneOf(source),
      run: (signal, work) => this.#run(signal, work, { turnMs: ownTurnMs }),
    }
  }

  async #run<T>(
    signal: AbortSignal,
    work: (job: ScanJob) => Promise<T>,
    bounds?: Pick<TurnBounds, 'turnMs'>,
  ): Promise<T> {
    signal.throwIfAborted()
    // In one piece: to each thread some 10 µs for every piece.
    const memory = new SharedArrayBuffer(sharedBoundBytes + Int32Array.BYTES_PER_ELEMENT)
    const cancelled = new Int32Array(memory, sharedBoundBytes)
    const kill = new Kill()
    let grace: NodeJS.Timeout | undefined
    const cancel = () => {
      Atomics.store(cancelled, 0, 1)
      grace = setTimeout(() => kill.now(), graceMs)
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await work(new LaneJob(this.#lanes, kill, cancelled, newSharedBound(memory), bounds))
    } finally {
      clearTimeout(grace)
      signal.removeEventListener('abort', cancel)
      signal.throwIfAborted() // Whatever a cancelled task gave back is not the answer.
    }
  }

  /** Releases what is decoded of segments that are gone. No query that reads them is under way. (The
   *  threads for long queries hold little, and not for long.) */
  forgetSegments(segments: ReadonlySet<number>): void {
    for (const { normal } of this.#lanes) normal.tell('forgetSegments', segments)
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.flatMap(({ normal, low }) => [normal.close(), low.close()]))
  }
}

/** A job in the threads of all lanes. */
class LaneJob implements ScanJob {
  readonly cancelled: Int32Array
  readonly sharedBound: BigInt64Array
  readonly #lanes: readonly Lane[]
  readonly #kill: Kill
  readonly #bounds: Pick<TurnBounds, 'turnMs'> | undefined

  /** `bounds`: in the place of the lanes' own. */
  constructor(
    lanes: readonly Lane[],
    kill: Kill,
    cancelled: Int32Array,
    sharedBound: BigInt64Array,
    bounds: Pick<TurnBounds, 'turnMs'> | undefined,
  ) {
    this.#lanes = lanes
    this.#kill = kill
    this.cancelled = cancelled
    this.sharedBound = sharedBound
    this.#bounds = bounds
  }

  async scan(
    lane: number,
    priority: Priority,
    { sources, ...task }: Omit<ScanTask, 'turn'>,
  ): Promise<ScanResult> {
    const thread = this.#lanes[lane]![priority]
    const turn = { ...thread.turn(this.cancelled), ...this.#bounds }
    const asked: PackedScanTask = { ...task, sources: packSources(sources), turn }
    const packed = await thread.run<PackedScanResult>('scan', asked, this.#kill)
    return {
      sourcesTaken: packed.sourcesTaken,
      resumeAt: packed.resumeAt,
      resume: packed.resume,
      rowsAtOnce: packed.rowsAtOnce,
      isLong: packed.isLong,
      count: packed.count,
      collected: packed.collected,
      refusal: packed.refusal,
      candidates: unpackCandidates(packed.candidates),
      records: packed.records && unpackRecords(packed.records),
      stats: packed.stats,
      damagedBlocks: packed.damagedBlocks,
    }
  }

  async rebuild(lane: number, task: RebuildTask): Promise<RebuildResult> {
    const { normal } = this.#lanes[lane]!
    const packed = await normal.run<PackedRebuildResult>('rebuild', task, this.#kill)
    return { ...packed, records: unpackRecords(packed.records) }
  }

  exportWindow(
    lane: number,
    priority: Priority,
    task: Omit<ExportTask, 'turn'>,
  ): Promise<ExportRows | 'long'> {
    const thread = this.#lanes[lane]![priority]
    const asked: ExportTask = { ...task, turn: thread.turn(this.cancelled) }
    return thread.run('exportWindow', asked, this.#kill)
  }

  levelEnds(lane: number, sources: readonly ScanSource[]): Promise<(LevelEnd[] | undefined)[]> {
    return this.#lanes[lane]!.normal.run('levelEnds', packSources(sources), this.#kill)
  }

  runFilters(lane: number, source: ScanSource): Promise<PlainBlockFilters[] | undefined> {
    return this.#lanes[lane]!.normal.run('runFilters', source, this.#kill)
  }
}

/** Spreads neighbouring places over the lanes (the finaliser of MurmurHash3, Appleby). */
function hash(place: number): number {
  let h = (place ^ (place / 2 ** 32)) >>> 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}
