/**
 * Carries out a plan: scans in parallel, merges counts, groups and the first records of the order,
 * and rebuilds only those.
 */
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import type { Sequence } from '../record.ts'
import { type Candidate, comparePlaces, type Order } from './earliest.ts'
import { type GroupCount, Groups } from './groups.ts'
import type { Plan, PlannedRange } from './plan.ts'
import type { RebuildFrame, RebuiltRecord, ScanQuery, ScanResult, ScanStats } from './scan.ts'
import type { ScanJob, ScanPool } from './scan-pool.ts'

/** A task's size: large enough that handing it over costs nothing, small enough to share out. */
const taskBytesMin = 4 * 1024 * 1024
const tasksPerThread = 4

/** A record of the answer with its place in the order of arrival. */
export interface FoundRecord extends RebuiltRecord {
  readonly sequence: Sequence
}

export interface ExecuteResult {
  readonly count: number
  readonly groups: GroupCount[]
  readonly records: FoundRecord[]
  /** Whether more records match behind the last one given. */
  readonly hasMore: boolean
  readonly stats: ScanStats & { readonly ranges: number; readonly tasks: number }
}

/** `pathOf` names the file of a journal number. Throws the signal's reason when it is aborted. */
export function execute(
  plan: Plan,
  query: ScanQuery,
  pathOf: (file: number) => string,
  pool: ScanPool,
  signal: AbortSignal,
): Promise<ExecuteResult> {
  return pool.run(signal, async job => {
    const results = await scanAll(plan, query, pathOf, pool.threads, job)
    const groups = new Groups()
    groups.addAll(plan.groups)
    for (const result of results) groups.addAll(result.groups)
    refuseTooManyGroups(groups.size)
    const candidates = results
      .flatMap(result => result.candidates)
      .sort((a, b) => comparePlaces(a, b, query.order))
    const stats = sumStats(results.map(result => result.stats))
    const { records, isWhole } = await rebuildAnswer(
      candidates.slice(0, query.limit),
      query.order,
      pathOf,
      job,
      stats,
    )
    return {
      count: results.reduce((sum, result) => sum + result.count, plan.count),
      groups: groups.toArray(),
      records,
      hasMore: candidates.length > query.limit || !isWhole,
      stats: {
        ...stats,
        ranges: plan.scanned.length + plan.searched.length,
        tasks: results.length,
      },
    }
  })
}

function scanAll(
  plan: Plan,
  query: ScanQuery,
  pathOf: (file: number) => string,
  threads: number,
  job: ScanJob,
): Promise<ScanResult[]> {
  // One more than asked tells whether there are more.
  const taskQuery = { ...query, limit: query.limit + 1 }
  const start = (ranges: PlannedRange[], wantsCount: boolean) =>
    shareOut(ranges, threads).map(task =>
      job.scan({
        query: taskQuery,
        wantsCount,
        ranges: task.map(range => ({ ...range, path: pathOf(range.file) })),
        cancelled: job.cancelled,
      }),
    )
  return settleAll([...start(plan.searched, false), ...start(plan.scanned, true)])
}

/** Like Promise.all, but leaves no task of a failed query running unobserved. */
async function settleAll<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(promises)
  return outcomes.map(outcome => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** Ranges in their order, cut into tasks of about equal bytes. */
function shareOut(ranges: readonly PlannedRange[], threads: number): PlannedRange[][] {
  const bytes = ranges.reduce((sum, range) => sum + range.bytes, 0)
  const target = Math.max(bytes / (threads * tasksPerThread), taskBytesMin)
  const tasks: PlannedRange[][] = []
  let taskBytes = Number.POSITIVE_INFINITY
  for (const range of ranges) {
    if (taskBytes >= target) {
      tasks.push([])
      taskBytes = 0
    }
    tasks.at(-1)!.push(range)
    taskBytes += range.bytes
  }
  return tasks
}

function refuseTooManyGroups(count: number): void {
  if (count <= limits.queryGroupsMax) return
  throw new ProblemError(
    'query_too_large',
    `the query makes more than ${limits.queryGroupsMax} groups; add matchers or group by less`,
    { field: 'query' },
  )
}

function sumStats(all: readonly ScanStats[]): ScanStats {
  const sum: ScanStats = { frames: 0, records: 0, bytes: 0, damagedFrames: 0 }
  for (const stats of all) {
    sum.frames += stats.frames
    sum.records += stats.records
    sum.bytes += stats.bytes
    sum.damagedFrames += stats.damagedFrames
  }
  return sum
}

/** Records rebuilt by one task: a step between two looks at the size of the answer. */
const recordsPerRebuild = 250

/** Rebuilds records in order until all are there, or the answer is as large as one may be. */
async function rebuildAnswer(
  candidates: readonly Candidate[],
  order: Order,
  pathOf: (file: number) => string,
  job: ScanJob,
  stats: ScanStats,
): Promise<{ records: FoundRecord[]; isWhole: boolean }> {
  const records: FoundRecord[] = []
  let size = 0
  for (let i = 0; i < candidates.length; i += recordsPerRebuild) {
    const step = candidates.slice(i, i + recordsPerRebuild)
    for (const record of await rebuildStep(step, order, pathOf, job, stats)) {
      if (records.length > 0 && size > limits.answerLengthMax) return { records, isWhole: false }
      size += lengthOf(record)
      records.push(record)
    }
  }
  return { records, isWhole: true }
}

/** Characters of a record's texts. */
function lengthOf(record: FoundRecord): number {
  return record.attributes.reduce((sum, text) => sum + text.length, record.message.length)
}

/** Reads each frame once, whatever number of records it gives, and puts the records in order again. */
async function rebuildStep(
  candidates: readonly Candidate[],
  order: Order,
  pathOf: (file: number) => string,
  job: ScanJob,
  stats: ScanStats,
): Promise<FoundRecord[]> {
  const byFrame = Map.groupBy(candidates, ({ file, frameOffset }) => `${file}:${frameOffset}`)
  const frames: RebuildFrame[] = []
  const places: Candidate[] = []
  for (const inFrame of byFrame.values()) {
    const { file, frameOffset, frameBytes } = inFrame[0]!
    const rows = inFrame.map(candidate => candidate.row)
    frames.push({ path: pathOf(file), file, offset: frameOffset, bytes: frameBytes, rows })
    places.push(...inFrame)
  }
  const rebuilt = await job.rebuild(frames)
  const found: FoundRecord[] = []
  rebuilt.forEach((record, i) => {
    if (record === undefined) stats.damagedFrames++
    else found.push({ ...record, sequence: places[i]!.sequence })
  })
  return found.sort((a, b) => comparePlaces(a, b, order))
}
