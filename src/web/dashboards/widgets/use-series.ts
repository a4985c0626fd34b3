/** Asks for the series of a widget's queries, each by itself: one that fails does not hide the others. */

import { useEffect } from 'preact/hooks'
import { isAbort } from '../../api/problem.ts'
import { querySeries, type SeriesAsked, type TimeSeries } from '../../api/prometheus.ts'
import { isRanked, rankedSeries } from '../../query/ranking.ts'
import { type Asked, useRequest } from '../../state/request.ts'
import { queryKey } from '../board-model.ts'
import type { Widget } from '../model/board.ts'
import type { Buckets } from '../model/buckets.ts'
import { narrowed, useShown } from '../shown.ts'

export interface SeriesFound {
  readonly buckets: Buckets
  /** One for each query; empty for one that failed. */
  readonly answers: readonly (readonly TimeSeries[])[]
  /** Of the queries that failed, by their index. */
  readonly errors: ReadonlyMap<number, unknown>
}

/** Of the groups that rank over the whole time, which begins a step before its first point. */
async function ranked(asked: SeriesAsked, signal: AbortSignal): Promise<readonly TimeSeries[]> {
  const { startTime, endTime, stepMs } = asked
  const wholeMs = endTime - startTime + stepMs
  const whole = await querySeries({ ...asked, startTime: endTime, stepMs: wholeMs }, signal)
  const groups = whole.map(({ labels }) => labels)
  return rankedSeries(asked, groups, signal)
}

/** @param isWanted False while the widget is out of sight. */
export function useSeries(
  { path, queries }: Widget,
  buckets: Buckets,
  isWanted: boolean,
): Asked<SeriesFound> {
  const { model, values, environment } = useShown()
  const texts = queries.map(({ query }) => narrowed(query, { values, environment }))
  const key = JSON.stringify([texts, values, buckets])
  const isAsked = isWanted && texts.some(text => text.trim() !== '')
  const found = useRequest(isAsked ? key : undefined, async signal => {
    const errors = new Map<number, unknown>()
    const ask = async (query: string, index: number) => {
      try {
        const asked = { query, ...buckets, variables: values }
        return await (isRanked(query) ? ranked(asked, signal) : querySeries(asked, signal))
      } catch (error) {
        if (isAbort(error)) throw error
        errors.set(index, error)
        return []
      }
    }
    const answers = await Promise.all(texts.map(ask))
    return { buckets, answers, errors }
  })
  const { answer } = found
  useEffect(() => {
    for (const index of queries.keys()) {
      model.report(queryKey(path, index), answer?.errors.get(index))
    }
  }, [answer])
  return found
}
