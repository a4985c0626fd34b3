/** What an answer cost that took several queries, one after the other. */
import type { SelectStats } from '../store.ts'

export function addSelectStats(first: SelectStats, then: SelectStats): SelectStats {
  const sum: Record<string, number> = { ...first }
  for (const [what, figure] of Object.entries(then)) sum[what]! += figure
  // These say how much there is, not how much was done.
  const { segments, blocks } = then
  return { ...(sum as SelectStats), segments, blocks }
}
