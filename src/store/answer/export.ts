/**
 * The whole answer to a query as a stream of text: every record that matches, in order, in as little
 * memory for a billion as for a thousand.
 *
 * The export goes over its time in windows. All lanes scan one window; what they found is merged and
 * given; meanwhile they scan the next one, and no further. It sees what was there when it began:
 * neither what arrives later, nor anything twice, whatever is sealed and compacted meanwhile.
 *
 * Nothing is left out in silence: when something cannot be read, the export ends with an error, and
 * the damage is taken out of sight, so that the next attempt gets all that is left.
 */
import type { IndexEntry } from '../../index/entry.ts'
import { forEachLevel } from '../../index/entry.ts'
import { type SourceRef, sourceKey } from '../../index/source.ts'
import { ProblemError } from '../../problems.ts'
import { type LaneRows, Merger } from '../../query/export/merge.ts'
import {
  type ExportQuery,
  type ExportRows,
  type ExportSource,
  type ExportTarget,
  type ExportWindow,
  sharedTarget,
} from '../../query/export/task.ts'
import { csvHeader } from '../../query/export/text.ts'
import { ExportWindows } from '../../query/export/windows.ts'
import type { Predicate } from '../../query/predicate.ts'
import type { Priority, ScanLanes } from '../../query/scan-pool.ts'
import type { DamagedBlock } from '../../query/scan-task.ts'

/** Records of a window at first. */
const firstWanted = 4 * 1024
/** Bounds of what a window is planned to have: large records are few, and where few match, more are
 *  looked at in one go. But a thread that is busy with a window keeps queries waiting. */
const wantedMin = 1_024
const wantedMax = 256 * 1024
/** Text of a window, about: below the one the next is planned larger, above the other smaller. */
const textBytesLow = 512 * 1024
const textBytesHigh = 2 * 1024 * 1024

/** Text that a lane returns at once, unless a single record is longer. */
const laneTextBytesMax = 4 * 1024 * 1024

export interface ExportParts {
  readonly pool: ScanLanes
  /** Says what is damaged, and takes it out of sight. */
  readonly takeDamageOut: (damage: Damage) => void
  /** Whether what comes before, the header of CSV too, was given already. */
  readonly isContinued?: boolean
}

export interface Damage {
  readonly stats: { readonly damagedFrames: number }
  readonly damaged: readonly { readonly source: SourceRef; readonly reason: string }[]
}

/** What a lane found, and what it could not read. */
type LaneOutcome = LaneRows & Pick<ExportRows, 'damagedFrames' | 'damagedBlocks'>

/** What an export sees: sources by their numbers. */
export function exportView(
  entries: Iterable<IndexEntry>,
  predicate: Predicate,
  pathOf: (source: SourceRef) => string,
): readonly ExportSource[] {
  const sources = new Map<string, ExportSource>()
  for (const { source, minTimestamp, maxTimestamp, ...entry } of entries) {
    let recordCount = 0
    forEachLevel(entry, (level, count) => {
      if (predicate.matchesLevel(level, entry.stream)) recordCount += count
    })
    if (recordCount === 0) continue
    const key = sourceKey(source)
    const known = sources.get(key)
    sources.set(key, {
      number: known?.number ?? sources.size,
      path: known?.path ?? pathOf(source),
      source,
      isCounted: false,
      minTimestamp: Math.min(minTimestamp, known?.minTimestamp ?? minTimestamp),
      maxTimestamp: Math.max(maxTimestamp, known?.maxTimestamp ?? maxTimestamp),
      recordCount: recordCount + (known?.recordCount ?? 0),
    })
  }
  return [...sources.values()]
}

/** Each chunk is valid until the next. Throws ProblemError `data_damaged`, or the signal's reason. */
export async function* exportText(
  query: ExportQuery,
  sources: readonly ExportSource[],
  parts: ExportParts,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const stop = new AbortController()
  const stops = AbortSignal.any([signal, stop.signal])
  const windows = new ExportWindows(sources, query)
  const merger = new Merger(query.order)
  let wanted = firstWanted
  const hasHeader = query.format === 'csv' && parts.isContinued !== true
  let header: Uint8Array | undefined = hasHeader ? Buffer.from(csvHeader) : undefined

  const start = (from: number) => {
    const window = windows.next(from, wanted)
    return window && scanWindow({ ...window, after: undefined }, window.sources)
  }
  const targets = new Targets(parts.pool.laneCount)
  const priority: { now: Priority } = { now: 'normal' }
  const scanWindow = (window: ExportWindow, open: readonly ExportSource[]) => {
    const rows = scanLanes(query, window, open, targets.next(), parts.pool, priority, stops)
    rows.catch(() => undefined) // Thrown where it is awaited, which may be never.
    return { window, sources: open, rows }
  }

  const isAscending = query.order === 'asc'
  let ahead = start(isAscending ? query.startTime : query.endTime)
  try {
    while (ahead !== undefined) {
      const { window, sources: open, rows } = ahead
      const lanes = await rows
      refuseDamage(lanes, sources, parts)
      const { bytes, after } = merger.merge(lanes)
      wanted = nextWanted(wanted, bytes.length, after !== undefined)
      if (after === undefined) {
        ahead = start(windows.behind(isAscending ? window.to : window.from))
      } else {
        const left = isAscending
          ? { ...window, from: after.timestamp }
          : { ...window, to: after.timestamp }
        ahead = scanWindow({ ...left, after }, open)
      }
      if (header !== undefined) yield header
      header = undefined
      if (bytes.length > 0) yield bytes
    }
    if (header !== undefined) yield header
  } finally {
    stop.abort()
    await ahead?.rows.catch(() => undefined)
  }
}

function nextWanted(wanted: number, bytes: number, isCut: boolean): number {
  if (isCut || bytes > textBytesHigh) return Math.max(wantedMin, wanted / 2)
  return bytes < textBytesLow ? Math.min(wantedMax, wanted * 2) : wanted
}

/** One window in all lanes that have sources of it. */
function scanLanes(
  query: ExportQuery,
  window: ExportWindow,
  sources: readonly ExportSource[],
  targets: readonly ExportTarget[],
  pool: ScanLanes,
  priority: { now: Priority },
  signal: AbortSignal,
): Promise<LaneOutcome[]> {
  const byLane = Map.groupBy(sources, ({ source }) => pool.laneOf(source))
  return pool.run(signal, async job => {
    const outcomes = await Promise.allSettled(
      Array.from(byLane, async ([lane, own]) => {
        const target = targets[lane]!
        const task = { query, window, sources: own, target }
        let rows = await job.exportWindow(lane, priority.now, task)
        if (rows === 'long') {
          priority.now = 'low'
          rows = await job.exportWindow(lane, 'low', task)
        }
        if (rows === 'long') throw new Error('an export at low priority was given up')
        const { count, longText, ...outcome } = rows
        return {
          ...outcome,
          timestamps: target.timestamps.subarray(0, count),
          sequences: target.sequences.subarray(0, count),
          ends: target.ends.subarray(0, count),
          bytes: longText ?? target.text,
        }
      }),
    )
    return outcomes.map(outcome => {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    })
  })
}

/** Shared memory for the lanes' rows: of the window that is merged, and of the one that is scanned. */
class Targets {
  readonly #pairs: readonly (readonly ExportTarget[])[]
  #turn = 0

  constructor(laneCount: number) {
    const targets = () => Array.from({ length: laneCount }, () => sharedTarget(laneTextBytesMax))
    this.#pairs = [targets(), targets()]
  }

  /** One for each lane, to be used until this was called twice more. */
  next(): readonly ExportTarget[] {
    this.#turn = 1 - this.#turn
    return this.#pairs[this.#turn]!
  }
}

function refuseDamage(
  lanes: readonly LaneOutcome[],
  sources: readonly ExportSource[],
  { takeDamageOut }: ExportParts,
): void {
  const damagedFrames = lanes.reduce((sum, lane) => sum + lane.damagedFrames, 0)
  const blocks = new Map<number, DamagedBlock>(
    lanes.flatMap(({ damagedBlocks }) => damagedBlocks).map(block => [block.source, block]),
  )
  if (damagedFrames === 0 && blocks.size === 0) return
  const damaged = [...blocks.values()].map(({ source, reason }) => ({
    source: sources[source]!.source,
    reason,
  }))
  takeDamageOut({ stats: { damagedFrames }, damaged })
  const detail = 'some of the records cannot be read; ask again for all others'
  throw new ProblemError('data_damaged', detail, { retryAfterSeconds: damagedFrames > 0 ? 60 : 1 })
}
