/** What an answer from several successive queries cost. */
import type { SelectStats } from '../store.ts'

export function addSelectStats(first: SelectStats, then: SelectStats): SelectStats {
  const sum: Record<string, number> = { ...first }
  for (const [what, value] of Object.entries(then)) sum[what] = (sum[what] ?? 0) + value
  // These say how much there is, not how much was done.
  const { segments, blocks } = then
  const asOf = Math.min(first.asOf ?? Infinity, then.asOf ?? Infinity)
  return { ...(sum as SelectStats), segments, blocks, ...(asOf < Infinity && { asOf }) }
}
