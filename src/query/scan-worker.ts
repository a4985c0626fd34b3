/** The entry point of a scan thread (Piscina calls these by name). See `scan.ts`. */
import { workerData } from 'piscina'
import { realDisk } from '../disk/real-disk.ts'
import { leavesArraysUncounted, machineMemoryBytes } from '../memory-policy.js'
import { collectBesideWork, collectWithCode, collectYoungGarbage } from '../threads/garbage.ts'
import { handOver } from '../threads/hand-over.ts'
import type { TurnBounds } from '../threads/turn.ts'
import { leaveUncounted } from '../threads/uncounted-memory.ts'
import { beLessUrgent } from '../threads/urgency.ts'
import { exportRows } from './export/scan.ts'
import type { ExportRows, ExportTask } from './export/task.ts'
import type { LevelEnd } from './level-ends.ts'
import { packCandidates } from './packed-candidates.ts'
import { packRecords } from './packed-records.ts'
import { type PackedSources, UnpackedSources } from './packed-sources.ts'
import { rebuildRecords } from './rebuild-rows.ts'
import { scanSources } from './scan.ts'
import type {
  PackedRebuildResult,
  PackedScanResult,
  PackedScanTask,
  RebuildTask,
  ScanSource,
} from './scan-task.ts'
import { SourceReader } from './source-reader.ts'

beLessUrgent(workerData.niceness)
if (leavesArraysUncounted(machineMemoryBytes)) leaveUncounted()

const reader = new SourceReader(workerData.cacheBytes, realDisk, workerData.filesMax)
/** Whether there was a task: its compiled code is worth keeping. */
let hasWorked = false

export function scan({ sources, turn, ...task }: PackedScanTask) {
  const { collectedMemory, ...result } = scanSources(
    { ...task, sources: new UnpackedSources(sources), turn: ownTurn(turn) },
    reader,
  )
  tidyUp()
  const packed: PackedScanResult = {
    ...result,
    candidates: packCandidates(result.candidates),
    records: result.records && packRecords(result.records),
  }
  return collectedMemory.length === 0 ? packed : handOver(packed, collectedMemory)
}

export function rebuild(task: RebuildTask): PackedRebuildResult {
  const result = rebuildRecords(task, reader)
  tidyUp()
  return { ...result, records: packRecords(result.records) }
}

export function exportWindow(task: ExportTask): ExportRows | 'long' {
  const rows = exportRows({ ...task, turn: ownTurn(task.turn) }, reader)
  tidyUp()
  return rows
}

export function levelEnds(sources: PackedSources): (LevelEnd[] | undefined)[] {
  const ends = reader.levelEnds([...new UnpackedSources(sources)])
  tidyUp()
  return ends
}

/** The filters of all blocks of the source's run; undefined where they cannot be read. */
export function runFilters(source: ScanSource) {
  const filters = reader.runFilters(source)
  tidyUp()
  if (filters === undefined) return undefined
  const buffers = filters.flatMap(({ letters, words }) => [letters, ...(words ? [words] : [])])
  return handOver(
    filters,
    buffers.map(({ buffer }) => buffer as ArrayBuffer),
  )
}

export function forgetSegments(segments: ReadonlySet<number>): void {
  reader.forgetSegments(segments)
}

/** Returns what the thread does not need: what it began with, or what its tasks have left. */
export async function rest(): Promise<void> {
  reader.closeFiles()
  if (!hasWorked) {
    collectWithCode()
    return
  }
  const isWanted = () => Atomics.load(workerData.taskCount, 0) > 0
  // V8 may have begun before, in the midst of work: then what is garbage since is left to the second time.
  for (let times = 0; times < 2 && !isWanted(); times++) await collectBesideWork(isWanted)
}

/** With what the lane has told this thread of all its tasks. */
function ownTurn(turn: TurnBounds): TurnBounds {
  return { ...turn, taskCount: workerData.taskCount }
}

/** After each task: what it has decoded beyond the cache's budget, and its own arrays, go at once. */
function tidyUp(): void {
  hasWorked = true
  reader.trim()
  collectYoungGarbage()
}
