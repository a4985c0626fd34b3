/** The result of a metric query, and how Loki's API shows them: a vector, a scalar or a matrix. */

import { Type } from 'typebox'
import type { Expression } from '../../../language/ast.ts'
import { logqlName } from '../../../language/logql-names.ts'
import type { Labels, Value } from '../../../query/evaluate/vector.ts'
import type { SeriesBuckets } from '../../../query/series/cells.ts'
import type { Timestamp } from '../../../record.ts'
import { evaluateStored } from '../../../store/answer/evaluate-stored.ts'
import type { StoreDoor } from '../../dependencies.ts'
import type { Reply } from '../../reply/reply.ts'
import { sampleSchema } from '../prometheus/answers.ts'
import { matrixItems, type Points, sampleText, vectorItems } from '../prometheus/series-text.ts'
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
  const { value, stats } = await evaluateStored(store, expression, buckets, stop)
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
  const items = vectorItems(value.series, time, JSON.stringify)
  return resultReply({ type: 'vector' }, items, notes)
}

/** The values at `start` and every step from there. */
export function rangeReply({ value, notes }: MetricResult, points: Points): Reply {
  return resultReply({ type: 'matrix' }, matrixItems(value, points, JSON.stringify), notes)
}
