/** The result of a metric query, and how Loki's API shows them: a vector, a scalar or a matrix. */

import { Type } from 'typebox'
import type { Expression } from '../../../language/ast.ts'
import { logqlName } from '../../../language/logql-names.ts'
import { evaluate } from '../../../query/evaluate/evaluate.ts'
import type { Labels, Series, Value } from '../../../query/evaluate/vector.ts'
import type { SeriesBuckets } from '../../../query/series/cells.ts'
import type { Timestamp } from '../../../record.ts'
import { addSelectStats } from '../../../store/answer/select-stats.ts'
import type { SelectStats } from '../../../store/store.ts'
import type { StoreDoor } from '../../dependencies.ts'
import type { Reply } from '../../reply/reply.ts'
import { sampleSchema, sampleText } from '../prometheus/answers.ts'
import { type Notes, resultReply, warningsOf } from './answers.ts'
import { labelsSchema } from './streams.ts'

export interface MetricResult {
  /** Series have labels under LogQL's names. */
  readonly value: Value
  readonly notes: Notes
}

/** The value of `expression` at the end of each bucket. Throws as `evaluate` and the store. */
export async function evaluateMetric(
  store: Pick<StoreDoor, 'series'>,
  expression: Expression,
  buckets: SeriesBuckets,
  stop: AbortSignal,
): Promise<MetricResult> {
  let stats: SelectStats | undefined
  const value = await evaluate(
    expression,
    async aggregate => {
      const found = await store.series({ aggregate, ...buckets }, stop)
      stats = stats === undefined ? found.stats : addSelectStats(stats, found.stats)
      return found.series
    },
    buckets.pointCount,
    stop,
  )
  return { value: named(value), notes: { warnings: warningsOf(stats), stats } }
}

function named(value: Value): Value {
  if (value.kind === 'scalar') return value
  const series = value.series.map(({ labels, points }) => ({
    labels: underLogqlNames(labels),
    points,
  }))
  return { kind: 'vector', series }
}

/** Empty labels are absent ones. */
function underLogqlNames(labels: Labels): Labels {
  const present = Object.entries(labels).filter(([, value]) => value !== '')
  return Object.fromEntries(present.map(([name, value]) => [logqlName(name), value]))
}

export const vectorItem = {
  type: 'vector',
  item: Type.Object({ metric: labelsSchema, value: sampleSchema }),
} as const

export const scalarItem = {
  type: 'scalar',
  item: Type.Union([Type.Number(), Type.String()]),
} as const

export const matrixItem = {
  type: 'matrix',
  item: Type.Object({ metric: labelsSchema, values: Type.Array(sampleSchema) }),
} as const

/** The value at one time. */
export function instantReply({ value, notes }: MetricResult, time: Timestamp): Reply {
  if (value.kind === 'scalar') {
    return resultReply({ type: 'scalar' }, [sampleText(time, value.value).slice(1, -1)], notes)
  }
  const show = ({ labels, points: [point] }: Series) =>
    point === undefined
      ? undefined
      : `{"metric":${JSON.stringify(labels)},"value":${sampleText(time, point)}}`
  return resultReply({ type: 'vector' }, withCommas(value.series, show), notes)
}

/** The times of the points of a range. */
export interface Points {
  readonly start: Timestamp
  readonly stepMs: number
  readonly pointCount: number
}

/** The values at `start` and every step from there. */
export function rangeReply(
  { value, notes }: MetricResult,
  { start, stepMs, pointCount }: Points,
): Reply {
  const series =
    value.kind === 'vector'
      ? value.series
      : [{ labels: {}, points: new Array<number>(pointCount).fill(value.value) }]
  const show = ({ labels, points }: Series) => {
    const samples = points.flatMap((point, i) =>
      point === undefined ? [] : [sampleText(start + i * stepMs, point)],
    )
    return samples.length === 0
      ? undefined
      : `{"metric":${JSON.stringify(labels)},"values":[${samples.join(',')}]}`
  }
  return resultReply({ type: 'matrix' }, withCommas(series, show), notes)
}

function* withCommas(
  series: readonly Series[],
  show: (series: Series) => string | undefined,
): Generator<string> {
  let separator = ''
  for (const one of series) {
    const shown = show(one)
    if (shown === undefined) continue
    yield separator + shown
    separator = ','
  }
}
