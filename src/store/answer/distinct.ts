/**
 * Queries with `| distinct …`. Which record is the first of its combination is known when all have been
 * looked at: so each such stage, in its order, is a query of its own that finds the places of the records
 * that it leaves. The last query is then about these alone.
 */

import { logqlName } from '../../language/logql-names.ts'
import type { Stage } from '../../language/stage.ts'
import { type Chosen, chosenOf } from '../../query/chosen.ts'
import type { Collector } from '../../query/collect/collector.ts'
import { Firsts } from '../../query/collect/firsts.ts'
import type { ScanQuery } from '../../query/scan-task.ts'
import type { SelectStats } from '../store.ts'
import type { QueryOutcome, RunQuery } from './explore.ts'
import { addSelectStats } from './select-stats.ts'

/** The records that `distinct` has left, and what finding them cost. */
export interface Distinct {
  readonly chosen: Chosen
  readonly stats: SelectStats
}

/**
 * Undefined for a query without `distinct`. Throws ProblemError `query_too_large` for too many combinations,
 * and what `run` throws.
 */
export async function distinctOf(
  query: Pick<ScanQuery, 'selector' | 'startTime' | 'endTime' | 'order' | 'arrived'>,
  run: RunQuery,
): Promise<Distinct | undefined> {
  const { selector, startTime, endTime, order, arrived } = query
  const stages = selector.stages ?? []
  let found: Distinct | undefined
  for (const [i, stage] of stages.entries()) {
    if (stage.kind !== 'distinct') continue
    const labels = [...new Set(stage.labels.map(logqlName))]
    const { collector, stats } = await run(
      {
        // An empty list of stages, too: labels have LogQL's names behind stages.
        selector: { ...selector, stages: stages.slice(0, i) },
        ...{ startTime, endTime, order, limit: 0, after: undefined },
        ...(arrived && { arrived }),
        ...(found && { chosen: found.chosen }),
      },
      () => new Firsts(labels, order),
    )
    found = {
      chosen: chosenOf(collector.toPlain().sequences),
      stats: found === undefined ? stats : addSelectStats(found.stats, stats),
    }
  }
  return found
}

/** Runs a query, those of its `distinct` before it; `run` does what has none, or has its records chosen. */
export async function runWithDistinct<T extends Collector | undefined>(
  query: Omit<ScanQuery, 'collector'>,
  newCollector: () => T,
  run: RunQuery,
): Promise<QueryOutcome<T>> {
  const isPlain = query.isExplained === true || !hasDistinct(query.selector.stages)
  const distinct = isPlain ? undefined : await distinctOf(query, run)
  if (distinct === undefined) return run(query, newCollector)
  const outcome = await run({ ...query, chosen: distinct.chosen }, newCollector)
  return { ...outcome, stats: addSelectStats(distinct.stats, outcome.stats) }
}

export function hasDistinct(stages: readonly Stage[] | undefined): boolean {
  return stages?.some(({ kind }) => kind === 'distinct') ?? false
}
