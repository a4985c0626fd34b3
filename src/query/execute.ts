/**
 * Carries out a plan: scans in parallel, merges counts, groups and the first records of the order,
 * and rebuilds only those.
 */
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { FirstInOrder } from './earliest.ts'
import { type GroupCount, Groups } from './groups.ts'
import { Histogram, type HistogramCounts } from './histogram.ts'
import type { Plan, PlannedSource } from './plan.ts'
import { type FoundRecord, rebuildAnswer } from './rebuild.ts'
import type { ScanJob, ScanPool } from './scan-pool.ts'
import {
  addStats,
  type DamagedBlock,
  noStats,
  type ScanQuery,
  type ScanResult,
  type ScanSource,
  type ScanStats,
} from './scan-task.ts'
import type { SourceRef } from './source.ts'

/** Bytes read by one task: a turn in a lane, a few milliseconds long. */
const taskBytesTarget = 16 * 1024 * 1024
/** Of a block few columns are read, of a range of the journal all bytes. */
const blockShareRead = 1 / 4

export interface ExecuteResult {
  readonly count: number
  readonly groups: GroupCount[]
  readonly histogram: HistogramCounts
  readonly records: FoundRecord[]
  /** Whether more records match behind the last one given. */
  readonly hasMore: boolean
  readonly stats: ScanStats
  /** Blocks that could not be read; the answer lacks them. */
  readonly damaged: readonly { readonly source: SourceRef; readonly reason: string }[]
}

/** `pathOf` names the file of a source. Throws the signal's reason when it is aborted. */
export function execute(
  plan: Plan,
  query: ScanQuery,
  pathOf: (source: SourceRef) => string,
  pool: ScanPool,
  signal: AbortSignal,
): Promise<ExecuteResult> {
  return pool.run(signal, async job => {
    const merged = new Merged(plan, query)
    const number = (planned: PlannedSource, i: number): ScanSource => ({
      number: i,
      path: pathOf(planned.source),
      source: planned.source,
    })
    const sources = [...plan.searched, ...plan.scanned].map(number)
    await scanLanes(sources, plan.searched.length, merged, pool, job)
    const answer = await rebuildAnswer(merged.records(), query, sources, pool, job, merged)
    return {
      count: merged.count,
      groups: merged.groups.toArray(),
      histogram: merged.histogram?.toCounts() ?? [],
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

/** What all tasks of a query found together, on top of what the index knew. */
class Merged {
  readonly query: ScanQuery
  readonly groups = new Groups()
  readonly histogram: Histogram | undefined
  readonly stats: ScanStats = noStats()
  readonly damaged: DamagedBlock[] = []
  readonly #first: FirstInOrder
  count: number

  constructor(plan: Plan, query: ScanQuery) {
    // One more record than asked tells whether there are more.
    this.query = query.limit === 0 ? query : { ...query, limit: query.limit + 1 }
    this.#first = new FirstInOrder(this.query.limit, query.order)
    this.count = plan.count
    this.groups.addAll(plan.groups)
    if (query.bucketMs !== undefined) {
      this.histogram = new Histogram(query.bucketMs)
      this.histogram.addAll(plan.histogram)
    }
  }

  /** What no further record can be in the answer behind. */
  get bound() {
    return this.#first.bound
  }

  add(result: ScanResult): void {
    this.count += result.count
    this.groups.addAll(result.groups)
    this.histogram?.addAll(result.histogram)
    for (const candidate of result.candidates) this.#first.offer(candidate)
    addStats(this.stats, result.stats)
    this.damaged.push(...result.damagedBlocks)
    if (this.groups.isTooLarge) throw tooManyGroups()
  }

  get hasMore(): boolean {
    return this.query.limit > 0 && this.#first.toArray().length === this.query.limit
  }

  /** The records of the answer. */
  records() {
    return this.#first.toArray().slice(0, Math.max(0, this.query.limit - 1))
  }
}

/** All lanes at once, each with one task after the other. The first sources are only searched. */
async function scanLanes(
  sources: readonly ScanSource[],
  searchedCount: number,
  merged: Merged,
  pool: ScanPool,
  job: ScanJob,
): Promise<void> {
  const lanes: ScanSource[][] = Array.from({ length: pool.laneCount }, () => [])
  for (const source of sources) lanes[pool.laneOf(source.source)]!.push(source)
  const outcomes = await Promise.allSettled(
    lanes.map(async (own, lane) => {
      for (const task of cutIntoTasks(own, searchedCount)) {
        if (job.cancelled[0] !== 0) return
        const { query, bound } = merged
        merged.add(await job.scan(lane, { ...task, query, bound, cancelled: job.cancelled }))
      }
    }),
  )
  // Not before all lanes have ended: no task of a failed query goes on unobserved.
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

interface TaskSources {
  readonly wantsCount: boolean
  readonly sources: ScanSource[]
}

/** Sources of one lane in their order, cut into tasks; searched and counted ones apart. */
function cutIntoTasks(sources: readonly ScanSource[], searchedCount: number): TaskSources[] {
  const tasks: TaskSources[] = []
  let taskBytes = 0
  for (const source of sources) {
    const wantsCount = source.number >= searchedCount
    const last = tasks.at(-1)
    if (last === undefined || last.wantsCount !== wantsCount || taskBytes >= taskBytesTarget) {
      tasks.push({ wantsCount, sources: [source] })
      taskBytes = bytesRead(source)
    } else {
      last.sources.push(source)
      taskBytes += bytesRead(source)
    }
  }
  return tasks
}

function bytesRead({ source }: ScanSource): number {
  return source.kind === 'block' ? source.bytes * blockShareRead : source.bytes
}

function tooManyGroups(): ProblemError {
  const { queryGroupsMax, groupsLengthMax } = limits
  return new ProblemError(
    'query_too_large',
    `the query makes more than ${queryGroupsMax} groups, or more than ${groupsLengthMax} characters ` +
      'of them; add matchers or group by less',
    { field: 'query' },
  )
}
