/**
 * `logstrata inspect` of the index: whether it says of each segment what the segment's footer says. LMDB is
 * not asked: it would hide what is damaged, or end the process over it.
 */
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { IndexFormatUnknown, readIndexFile } from '../../index/index-file.ts'
import { emptySummary, isSameSummary, type SegmentSummary } from '../../index/segment-summary.ts'
import { LmdbDamaged } from '../../lmdb/tree.ts'
import { listSegments } from '../../segment/files.ts'
import { rescueFooter } from '../../segment/rescue.ts'
import { SegmentCorrupt, SegmentVersionUnknown } from '../../segment/segment-error.ts'
import { differenceText, summaryOf } from '../../store/maintain/index-check.ts'
import type { Fault } from './file.ts'
import { faultsOfLmdb } from './lmdb.ts'

/** A service that runs meanwhile adds and deletes segments before or after it tells its index. */
const looksMax = 5
const pauseMs = 200

/** What is wrong with an index, and in what it differs from the segments beside it. */
export async function faultsOfIndex(path: string): Promise<Fault[]> {
  let faults: Fault[] = []
  for (let look = 1; look <= looksMax; look++) {
    faults = lookAt(path)
    if (faults.length === 0) return []
    if (look < looksMax) await pause(pauseMs)
  }
  return faults
}

function lookAt(path: string): Fault[] {
  const faults = faultsOfLmdb(path)
  if (faults.length > 0) return faults
  const fault = (what: string) => ({ offset: 0, what })
  try {
    const { segments } = readIndexFile(path)
    const expected = summariesOfSegments(join(dirname(path), 'segments'))
    const numbers = new Set([...segments.keys(), ...expected.keys()])
    return [...numbers].flatMap(number => {
      const indexed = segments.get(number) ?? emptySummary
      const footer = expected.get(number)
      if (footer === undefined) return [fault(`segment ${number} is missing, or cannot be read`)]
      if (isSameSummary(indexed, footer)) return []
      return [fault(`of segment ${number} ${differenceText(indexed, footer)}`)]
    })
  } catch (error) {
    // The next start rebuilds an index of another version.
    if (error instanceof IndexFormatUnknown) return []
    if (error instanceof LmdbDamaged) return [fault(error.message)]
    throw error
  }
}

/** By number; without those of which nothing can be read, which have faults of their own. */
function summariesOfSegments(directory: string): Map<number, SegmentSummary> {
  const summaries = new Map<number, SegmentSummary>()
  for (const { path, number } of listSegments(directory)) {
    try {
      summaries.set(number, summaryOf(rescueFooter(path, number).footer.blocks))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const isGone = code === 'ENOENT'
      const isUnreadable = error instanceof SegmentCorrupt || error instanceof SegmentVersionUnknown
      if (!isGone && !isUnreadable) throw error
    }
  }
  return summaries
}
