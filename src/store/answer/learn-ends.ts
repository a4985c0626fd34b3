/**
 * Has the scan threads tell when the levels of all blocks in sight begin and end, a few blocks at a time,
 * while nobody asks: at first touch of a level over all of time that is the difference between one block
 * opened and one of each stream.
 */
import { allEntries, type IndexEntry } from '../../index/entry.ts'
import type { BlockEntry, LevelEnds } from '../../query/level-ends.ts'
import type { ScanPool } from '../../query/scan-pool.ts'
import { type OthersFirst, othersFirst } from '../../threads/others-first.ts'
import type { QueriesUnderWay } from '../view/queries-under-way.ts'
import type { Segments } from '../view/segments.ts'

/** Blocks that one task of a thread is about: some 10 ms. */
const blocksAtOnce = 32

export interface LearnEndsParts {
  readonly segments: Segments
  readonly queries: QueriesUnderWay
  readonly pool: Pick<ScanPool, 'laneCount' | 'laneOf' | 'run'>
  readonly levelEnds: LevelEnds
}

/**
 * Resolves when it knows of all blocks what is told of them, or of as many as are kept: of the newest.
 * Rejects when the signal is aborted, and when a file cannot be read.
 */
export async function learnEnds(
  { segments, queries, pool, levelEnds }: LearnEndsParts,
  turns: OthersFirst,
): Promise<void> {
  levelEnds.keepOnly(number => segments.has(number))
  const lanes: BlockEntry[][] = Array.from({ length: pool.laneCount }, () => [])
  for (const entry of unknownBlocks(segments, levelEnds)) {
    lanes[pool.laneOf(entry.source)]!.push(entry)
  }
  const steps = Math.ceil(Math.max(...lanes.map(({ length }) => length)) / blocksAtOnce)
  for (let step = 0; step < steps && levelEnds.hasRoom; step++) {
    await othersFirst(turns)
    const leave = queries.enter()
    try {
      await pool.run(turns.signal, async job => {
        const told = lanes.map(async (entries, lane) => {
          const some = entries
            .slice(step * blocksAtOnce, (step + 1) * blocksAtOnce)
            .filter(({ source }) => segments.has(source.segment))
          const sources = some.map(({ source }, number) => {
            return { number, path: segments.pathOf(source.segment), source, isCounted: true }
          })
          const ends = sources.length === 0 ? [] : await job.levelEnds(lane, sources)
          for (const [i, entry] of some.entries()) levelEnds.note(entry, ends[i])
        })
        await Promise.all(told)
      })
    } finally {
      leave()
    }
  }
}

/** Blocks of several levels that skip indexes tell of, the newest first: of one level all times are known. */
function unknownBlocks(segments: Segments, levelEnds: LevelEnds): BlockEntry[] {
  const entries = segments.entries(allEntries)
  const unknown = entries.filter((entry): entry is IndexEntry & BlockEntry => {
    const { source, levelCounts } = entry
    const isTold = source.kind === 'block' && source.skip !== undefined
    return isTold && levelCounts.length > 2 && !levelEnds.has(source)
  })
  return unknown.sort((a, b) => b.maxTimestamp - a.maxTimestamp)
}
