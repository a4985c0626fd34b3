/** How many records there were in the stretch of the same length right before, bucket by bucket. */

import { type HistogramResult, queryHistogram } from '../api/records.ts'
import { useRequest } from '../state/request.ts'
import { narrowed } from './shown.ts'

/** @param shown What it is compared with; undefined: nothing is asked. */
export function usePeriodBefore(shown: HistogramResult | undefined): readonly number[] | undefined {
  const first = shown?.buckets[0]?.start
  const last = shown?.buckets.at(-1)?.start
  const isAsked = shown !== undefined && first !== undefined && last !== undefined
  const key = isAsked ? JSON.stringify([narrowed(), first, last, shown.bucketMs]) : undefined
  const found = useRequest(key, async signal => {
    const { bucketMs, buckets } = shown!
    // As many whole buckets: each then has the one that it is compared with.
    const startTime = first! - buckets.length * bucketMs
    const asked = { query: narrowed(), startTime, endTime: first! - 1, bucketMs }
    return { key, counts: (await queryHistogram(asked, signal)).buckets.map(({ count }) => count) }
  })
  return isAsked && found.answer?.key === key ? found.answer?.counts : undefined
}
