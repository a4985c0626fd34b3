/** Counts records of windows in the plainest way: what stands behind alerts in tests of their logic. */
import type { SeriesRequest, SeriesResult, Store } from '../../src/store/store.ts'
import { nothingSelected } from '../http/stand-ins.ts'

/** A record of a group, at a time. */
export interface PlainRecord {
  readonly at: number
  readonly group: string
}

/** One record of each group, at a time. */
export const recordsOf = (at: number, ...groups: readonly string[]): PlainRecord[] =>
  groups.map(group => ({ at, group }))

export interface PlainStore extends Pick<Store, 'series' | 'patterns'> {
  readonly asked: SeriesRequest[]
  /** Thrown instead of an answer. */
  failure: Error | undefined
}

/** Understands `count(logs)` and `count by (group) (logs)`. */
export function plainStore(records: readonly PlainRecord[]): PlainStore {
  const asked: SeriesRequest[] = []
  const store: PlainStore = {
    asked,
    failure: undefined,
    patterns: async () => {
      throw new Error('this store has no patterns')
    },
    async series(request): Promise<SeriesResult> {
      asked.push(request)
      if (store.failure !== undefined) throw store.failure
      const { aggregate, origin, stepMs, pointCount, windowMs = stepMs } = request
      const by = aggregate.kind === 'aggregate' ? aggregate.by : []
      const groups = by.length === 0 ? [''] : [...new Set(records.map(({ group }) => group))].sort()
      const series = groups.map(group => {
        const points = Array.from({ length: pointCount }, (_, i) => {
          const end = origin + (i + 1) * stepMs
          const found = records.filter(record => {
            const isInGroup = by.length === 0 || record.group === group
            return isInGroup && record.at >= end - windowMs && record.at < end
          })
          return found.length === 0 && by.length > 0 ? undefined : found.length
        })
        return { labels: by.length === 0 ? {} : { group }, points }
      })
      const shown = series.filter(({ points }) => points.some(point => point !== undefined))
      return { series: shown, skipped: 0, stats: nothingSelected.stats }
    },
  }
  return store
}
