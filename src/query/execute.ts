/**
 * Carries out a plan: scans in parallel, merges counts, what collectors added up, and the first
 * records of the order, and rebuilds only those.
 */

import type { SourceRef } from '../index/source.ts'
import { ProblemError } from '../problems.ts'
import type { Collector } from './collect/collector.ts'
import type { Plan } from './plan.ts'
import { type FoundRecord, rebuildAnswer } from './rebuild.ts'
import type { Priority, ScanJob, ScanLanes } from './scan-pool.ts'
import {
  addStats,
  type DamagedBlock,
  noStats,
  type RebuiltRecord,
  recordsToFind,
  type ScanQuery,
  type ScanResult,
  type ScanSource,
  type ScanStats,
} from './scan-task.ts'
import { type Candidate, TopK } from './top-k.ts'

/**
 * Bytes read by one task, after which files are closed. Of several tasks each but the last takes a thread
 * to wake and the main thread after it, and records are made in a turn of their own: 20 million records
 * are one for each of two lanes.
 */
const taskBytesTarget = 256 * 1024 * 1024
/** Few columns of a block are read, but all bytes of a range of the journal. */
const blockShareRead = 1 / 4

export interface ExecuteResult {
  readonly count: number
  readonly records: FoundRecord[]
  /** Whether more records match after the last one given. */
  readonly hasMore: boolean
  readonly stats: ScanStats
  /** Blocks that could not be read; the answer lacks them. */
  readonly damaged: readonly { readonly source: SourceRef; readonly reason: string }[]
}

/**
 * `collector` has what the index knew, and gets the rest. `pathOf` names the file of a source. Throws the
 * signal's reason when it is aborted.
 */
export function execute(
  plan: Pick<Plan, 'count' | 'searched' | 'scanned'>,
  query: ScanQuery,
  collector: Collector | undefined,
  pathOf: (source: SourceRef) => string,
  pool: ScanLanes,
  signal: AbortSignal,
): Promise<ExecuteResult> {
  return pool.run(signal, async job => {
    const merged = new Merged(plan.count, query, collector)
    const sources = numberedSources(plan, pathOf)
    await scanLanes(sources, merged, pool, job)
    const answer = await rebuildAnswer(merged.records(), query, sources, pool, job, merged)
    return {
      count: merged.count,
      records: answer.records,
      hasMore: merged.hasMore || !answer.isWhole,
      stats: merged.stats,
      damaged: merged.damaged.map(({ source, reason }) => ({
        source: sources[source]!.source,
        reason,
      })),
    }
  })
}

/** Those that are searched, and then those that are scanned. */
function numberedSources(
  { searched, scanned }: Pick<Plan, 'searched' | 'scanned'>,
  pathOf: (source: SourceRef) => string,
): ScanSource[] {
  const sources: ScanSource[] = []
  for (const [planned, isCounted] of [
    [searched, true],
    [scanned, false],
  ] as const) {
    for (const { source, isSifted = false } of planned) {
      sources.push({ number: sources.length, path: pathOf(source), source, isCounted, isSifted })
    }
  }
  return sources
}

/** What all tasks of a query found together, on top of what the index knew. */
class Merged {
  readonly query: ScanQuery
  readonly stats: ScanStats = noStats()
  readonly damaged: DamagedBlock[] = []
  /** Records that a scan has rebuilt, by their candidate. */
  readonly rebuilt = new Map<Candidate, RebuiltRecord>()
  readonly #collector: Collector | undefined
  readonly #first: TopK
  readonly #wantedRecords: number
  count: number

  constructor(count: number, query: ScanQuery, collector: Collector | undefined) {
    this.#wantedRecords = query.limit
    this.query = { ...query, limit: recordsToFind(query) }
    this.#first = new TopK(this.query.limit, query.order)
    this.#collector = collector
    this.count = count
  }

  /** A place after which no further record can be in the answer. */
  get bound() {
    return this.#first.bound
  }

  add(result: ScanResult): void {
    this.count += result.count
    this.#collector?.addPlain(result.collected)
    for (const [i, candidate] of result.candidates.entries()) {
      this.#first.offer(candidate)
      const record = result.records?.[i]
      if (record !== undefined) this.rebuilt.set(candidate, record)
    }
    addStats(this.stats, result.stats)
    this.damaged.push(...result.damagedBlocks)
    const refusal = result.refusal ?? this.#collector?.refusal
    if (refusal !== undefined)
      throw new ProblemError('query_too_large', refusal, { field: 'query' })
  }

  get hasMore(): boolean {
    const found = this.#first.toArray().length
    if (found === 0 || found < this.query.limit) return false
    return found > this.#wantedRecords || this.count > found
  }

  /** The records of the answer. */
  records() {
    return this.#first.toArray().slice(0, this.#wantedRecords)
  }
}

/** What the lanes of a query share. */
interface Scan {
  readonly merged: Merged
  readonly job: ScanJob
  readonly sharedBound: BigInt64Array | undefined
  priority: Priority
}

/** All lanes at once, each with one task after the other. */
async function scanLanes(
  sources: readonly ScanSource[],
  merged: Merged,
  pool: ScanLanes,
  job: ScanJob,
): Promise<void> {
  const lanes: ScanSource[][] = []
  for (let lane = 0; lane < pool.laneCount; lane++) lanes.push([])
  for (const source of sources) lanes[pool.laneOf(source.source)]!.push(source)
  const isShared = merged.query.limit > 0 && pool.laneCount > 1
  const sharedBound = isShared ? job.sharedBound : undefined
  const scan: Scan = { merged, job, sharedBound, priority: 'normal' }
  const scans: Promise<void>[] = []
  for (const [lane, own] of lanes.entries()) {
    if (own.length > 0) scans.push(scanLane(lane, own, scan))
  }
  // Not before all lanes have ended: no task of a failed query continues unobserved.
  for (const outcome of await Promise.allSettled(scans)) {
    if (outcome.status === 'rejected') throw outcome.reason
  }
}

async function scanLane(lane: number, own: readonly ScanSource[], scan: Scan): Promise<void> {
  const { merged, job, sharedBound } = scan
  // Where no records are wanted there is no place to learn of, and a collector's parts are fewer.
  const tasks = merged.query.limit === 0 ? [own] : cutIntoTasks(own)
  // Of several tasks the last ones may find records that are before all others.
  const rebuildsRecords = tasks.length === 1
  let resume: ScanResult['resume']
  let rowsAtOnce: ScanResult['rowsAtOnce']
  for (const task of tasks) {
    let sources = task
    while (sources.length > 0) {
      if (job.cancelled[0] !== 0) return
      const { query, bound } = merged
      const asked = { query, sources, resume, rowsAtOnce, bound, sharedBound, rebuildsRecords }
      const result = await job.scan(lane, scan.priority, asked)
      merged.add(result)
      sources = sourcesLeft(sources, result)
      resume = result.resume
      rowsAtOnce = result.rowsAtOnce
      if (result.isLong) scan.priority = 'low'
    }
  }
}

/** What a task has left of its sources. */
function sourcesLeft(
  sources: readonly ScanSource[],
  { sourcesTaken, resumeAt }: ScanResult,
): readonly ScanSource[] {
  const [next, ...others] = sources.slice(sourcesTaken)
  if (resumeAt === undefined || next?.source.kind !== 'journal') return sources.slice(sourcesTaken)
  const { file, offset, bytes } = next.source
  const source = {
    kind: 'journal',
    file,
    offset: resumeAt,
    bytes: offset + bytes - resumeAt,
  } as const
  return [{ ...next, source }, ...others]
}

/** Sources of one lane in their order, cut into tasks. */
function cutIntoTasks(sources: readonly ScanSource[]): (readonly ScanSource[])[] {
  const tasks: ScanSource[][] = []
  let taskBytes = taskBytesTarget
  for (const source of sources) {
    if (taskBytes >= taskBytesTarget) {
      tasks.push([])
      taskBytes = 0
    }
    tasks.at(-1)!.push(source)
    taskBytes += bytesRead(source)
  }
  return tasks
}

/** The likely cost of reading a source; next to nothing for one that the index has counted. */
function bytesRead({ source, isCounted }: ScanSource): number {
  if (source.kind === 'journal') return source.bytes
  return isCounted ? 0 : source.bytes * blockShareRead
}
