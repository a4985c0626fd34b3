/** Values over time: Prometheus' operations on our language. Times are in ms here, seconds there. */

import { call } from './client.ts'
import type { RecordsAsked } from './records.ts'

export interface SeriesAsked extends Omit<RecordsAsked, 'timeoutMs'> {
  /** Width of a bucket in ms. The point at t is about (t - step, t]. */
  readonly stepMs: number
}

export interface TimeSeries {
  readonly labels: Readonly<Record<string, string>>
  /** In order of time; times at which there is no value are absent. */
  readonly points: readonly { readonly time: number; readonly value: number }[]
}

export async function querySeries(asked: SeriesAsked, signal?: AbortSignal): Promise<TimeSeries[]> {
  const parameters = new URLSearchParams({
    query: asked.query,
    start: String(asked.startTime / 1_000),
    end: String(asked.endTime / 1_000),
    step: String(asked.stepMs / 1_000),
  })
  for (const [name, value] of Object.entries(asked.variables ?? {})) {
    for (const one of typeof value === 'string' ? [value] : value) {
      parameters.append(`var.${name}`, one)
    }
  }
  const data = await prometheus<Matrix>(`/api/v1/query_range?${parameters}`, signal)
  return data.result.map(({ metric, values }) => ({ labels: metric, points: values.map(point) }))
}

type WirePoint = readonly [seconds: number, value: string]

interface Matrix {
  readonly resultType: 'matrix'
  readonly result: readonly { metric: Record<string, string>; values: readonly WirePoint[] }[]
}

function point([seconds, text]: WirePoint): { time: number; value: number } {
  const value = text === '+Inf' ? Infinity : text === '-Inf' ? -Infinity : Number(text)
  return { time: Math.round(seconds * 1_000), value }
}

async function prometheus<T>(path: string, signal: AbortSignal | undefined): Promise<T> {
  const { data } = await call<{ data: T }>('GET', path, { signal })
  return data
}
