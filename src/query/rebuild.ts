/** The last step of a query: the records of the answer, made from the places where they were found. */
import type { Selector } from '../language/ast.ts'
import { limits } from '../limits.ts'
import type { Sequence } from '../record.ts'
import type { ScanJob, ScanLanes } from './scan-pool.ts'
import {
  type DamagedBlock,
  framePlaceOf,
  type RebuildPart,
  type RebuiltRecord,
  type ScanQuery,
  type ScanSource,
  type ScanStats,
  textLength,
} from './scan-task.ts'
import { type Candidate, placeComparers } from './top-k.ts'

/** A record of the answer with its place in the order of arrival. */
export interface FoundRecord extends RebuiltRecord {
  readonly sequence: Sequence
}

/** What is known of the answer already, and where it is noted that something could not be read. */
export interface Known {
  /** Records that need not be rebuilt. */
  readonly rebuilt: ReadonlyMap<Candidate, RebuiltRecord>
  readonly stats: ScanStats
  readonly damaged: DamagedBlock[]
}

/** Records rebuilt first, and at most at once; after that, as many as are likely to fit. */
const firstStepRecords = 50
const stepRecordsMax = 500
const stepLengthTarget = 4 * 1024 * 1024

/** Rebuilds records in order until all are there, or the answer is as large as one may be. */
export async function rebuildAnswer(
  candidates: readonly Candidate[],
  query: ScanQuery,
  sources: readonly ScanSource[],
  pool: ScanLanes,
  job: ScanJob,
  known: Known,
): Promise<{ records: FoundRecord[]; isWhole: boolean }> {
  const records: FoundRecord[] = []
  let length = 0
  let stepRecords = firstStepRecords
  for (let i = 0; i < candidates.length; ) {
    const step = candidates.slice(i, i + stepRecords)
    i += step.length
    const found = await rebuildStep(step, query.selector, sources, pool, job, known)
    found.sort(placeComparers[query.order])
    for (const record of found) {
      if (records.length > 0 && length > limits.answerLengthMax) return { records, isWhole: false }
      length += textLength(record)
      records.push(record)
    }
    const likely = Math.floor(stepLengthTarget / Math.max(1, length / Math.max(1, records.length)))
    stepRecords = Math.max(1, Math.min(stepRecordsMax, likely))
  }
  return { records, isWhole: true }
}

/** Reads each frame or block once, whatever number of records it gives. */
async function rebuildStep(
  candidates: readonly Candidate[],
  selector: Selector,
  sources: readonly ScanSource[],
  pool: ScanLanes,
  job: ScanJob,
  known: Known,
): Promise<FoundRecord[]> {
  const atHand: FoundRecord[] = []
  const missing: Candidate[] = []
  for (const candidate of candidates) {
    const record = known.rebuilt.get(candidate)
    if (record === undefined) missing.push(candidate)
    else atHand.push({ ...record, sequence: candidate.sequence })
  }
  if (missing.length === 0) return atHand
  const byPart = Map.groupBy(missing, ({ source, frameOffset }) => `${source}:${frameOffset}`)
  const lanes: { parts: RebuildPart[]; places: Candidate[] }[] = Array.from(
    { length: pool.laneCount },
    () => ({ parts: [], places: [] }),
  )
  for (const together of byPart.values()) {
    const { source: number, frameOffset, frameBytes } = together[0]!
    const source = sources[number]!
    const lane = lanes[pool.laneOf(source.source)]!
    const frame = framePlaceOf(source, frameOffset, frameBytes)
    lane.parts.push({ source, frame, rows: together.map(candidate => candidate.row) })
    lane.places.push(...together)
  }
  const rebuilt = await Promise.all(
    lanes.map(async ({ parts, places }, lane) => {
      if (parts.length === 0) return []
      const { records, damagedBlocks } = await job.rebuild(lane, { parts, selector })
      known.damaged.push(...damagedBlocks)
      return records.flatMap((record, i) => {
        if (record !== undefined) return { ...record, sequence: places[i]!.sequence }
        if (damagedBlocks.length === 0) known.stats.damagedFrames++
        return []
      })
    }),
  )
  return [...atHand, ...rebuilt.flat()]
}
