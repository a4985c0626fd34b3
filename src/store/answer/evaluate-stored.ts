/** The value of an expression over what is stored. */
import type { Expression } from '../../language/ast.ts'
import { evaluate } from '../../query/evaluate/evaluate.ts'
import type { Value } from '../../query/evaluate/vector.ts'
import type { SelectStats, SeriesRequest, Store } from '../store.ts'
import { addSelectStats } from './select-stats.ts'

interface Evaluated {
  readonly value: Value
  /** Matching records whose value was no number, where numbers are asked for. */
  readonly skipped: number
  /** What it cost; undefined when nothing was asked of the store. */
  readonly stats: SelectStats | undefined
}

/** Throws as `evaluate` and the store. */
export async function evaluateStored(
  store: Pick<Store, 'series'>,
  expression: Expression,
  asked: Omit<SeriesRequest, 'aggregate'>,
  signal: AbortSignal,
): Promise<Evaluated> {
  let skipped = 0
  let stats: SelectStats | undefined
  const leaf: Parameters<typeof evaluate>[1] = async aggregate => {
    const found = await store.series({ aggregate, ...asked }, signal)
    skipped += found.skipped
    stats = stats === undefined ? found.stats : addSelectStats(stats, found.stats)
    return found.series
  }
  const value = await evaluate(expression, leaf, asked.pointCount, signal)
  return { value, skipped, stats }
}
