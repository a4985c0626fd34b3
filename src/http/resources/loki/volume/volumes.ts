/** From numbers of records to volumes, the largest first. */

import { labelsKey, type Series } from '../../../../query/evaluate/vector.ts'
import type { MetricResult } from '../metric-results.ts'
import type { VolumeAsked } from './volume-asked.ts'

/** `counts`: of the labels of `asked`, a vector. Buckets without a record have no point. */
export function volumesOf(
  { value, notes }: MetricResult,
  asked: VolumeAsked,
  bytesPerRecord: number,
): MetricResult {
  const summed = new Map<string, { labels: Series['labels']; counts: number[] }>()
  for (const { labels, points } of value.kind === 'vector' ? value.series : []) {
    const isByName = asked.aggregateBy === 'labels'
    for (const shown of isByName ? Object.keys(labels).map(name => ({ [name]: '' })) : [labels]) {
      // Grouped by names, series differ in which values are empty.
      const key = isByName ? Object.keys(shown)[0]! : labelsKey(shown)
      const sum = summed.get(key) ?? { labels: shown, counts: points.map(() => 0) }
      points.forEach((count, i) => {
        sum.counts[i]! += count ?? 0
      })
      summed.set(key, sum)
    }
  }
  const totalOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
  const largest = [...summed.values()]
    .filter(({ counts }) => totalOf(counts) > 0)
    .sort((a, b) => totalOf(b.counts) - totalOf(a.counts))
    .slice(0, asked.limit)
  const bytesOf = (count: number) => (count === 0 ? undefined : Math.round(count * bytesPerRecord))
  const series = largest.map(({ labels, counts }) => ({ labels, points: counts.map(bytesOf) }))
  return { value: { kind: 'vector', series }, notes }
}
