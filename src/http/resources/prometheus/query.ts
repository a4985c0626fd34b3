/**
 * The value of a query at one time, and over time.
 *
 * The point of a range at time t is about the records after t - step, up to and including t; that
 * of an instant query goes back by `lookback_delta`, 5 minutes by default.
 */

import { Type } from 'typebox'
import type { SeriesBuckets } from '../../../query/series/cells.ts'
import { evaluateStored } from '../../../store/answer/evaluate-stored.ts'
import { statsSchema } from '../../../store/answer/schemas.ts'
import { jsonAnswer, type Operation } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { DescribedRoute, FormRequest } from '../../route.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { readVariables } from '../query/query-variables.ts'
import {
  instantReply,
  type QueryResult,
  rangeReply,
  sampleSchema,
  successSchema,
} from './answers.ts'
import {
  boundMeanings,
  bounds,
  durationWords,
  optional,
  parametersOf,
  queryMeaning,
  text,
  timeWords,
} from './described.ts'
import { byGetAndPost } from './form-routes.ts'
import {
  invalid,
  readDurationMs,
  readLimit,
  readTime,
  requiredParameter,
  requiredTime,
} from './parameters.ts'
import { notesOf, runAsked } from './run.ts'
import { readQuery } from './selectors.ts'

const lookbackMsDefault = 5 * 60_000

/** As Prometheus: more points than pixels help nobody. */
export const pointsPerSeriesMax = 11_000

const labels = Type.Record(Type.String(), Type.String())

const { properties: costs } = Type.Partial(statsSchema)

/** Without the costs for an expression that looks at no record. */
const queryStats = Type.Optional(
  Type.Object(
    { ...costs, valuesSkipped: Type.Integer({ minimum: 0 }) },
    { description: 'What the answer cost; there when `stats` asks for it.' },
  ),
)

const instantAnswer = successSchema(
  Type.Union([
    Type.Object({
      resultType: Type.Literal('vector'),
      result: Type.Array(Type.Object({ metric: labels, value: sampleSchema })),
      stats: queryStats,
    }),
    Type.Object({
      resultType: Type.Literal('scalar'),
      result: sampleSchema,
      stats: queryStats,
    }),
  ]),
)

const rangeAnswer = successSchema(
  Type.Object({
    resultType: Type.Literal('matrix'),
    result: Type.Array(Type.Object({ metric: labels, values: Type.Array(sampleSchema) })),
    stats: queryStats,
  }),
)

const aboutInstant: Operation = {
  id: 'prometheusQuery',
  tag: 'Prometheus',
  summary: 'The value of a query at one time',
  parameters: parametersOf(
    { query: text, time: optional, lookback_delta: optional, stats: optional, ...bounds },
    {
      query: queryMeaning,
      time: `When: ${timeWords}. Now when absent.`,
      lookback_delta: `How far back records are taken: ${durationWords}. 5 minutes when absent.`,
      stats: 'Anything but empty: the answer has `stats`.',
      ...boundMeanings,
    },
  ),
  answers: { 200: jsonAnswer('One value for each series.', instantAnswer) },
  problems: queryProblems,
  sample: {
    parameters: { query: 'count by (log_level) (logs)', lookback_delta: '1h' },
  },
}

export function instantRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: '/api/v1/query',
    about: aboutInstant,
    async handle(request) {
      const { parameters } = request
      const time = readTime(parameters, 'time', undefined) ?? Date.now()
      const stepMs = readDurationMs(parameters, 'lookback_delta', lookbackMsDefault)
      const buckets = { origin: time - stepMs + 1, stepMs, pointCount: 1 }
      return instantReply(await evaluateOver(dependencies, request, buckets), time)
    },
  })
}

const aboutRange: Operation = {
  id: 'prometheusQueryRange',
  tag: 'Prometheus',
  summary: 'The values of a query over time',
  description: `The point at time t is about the records after t − \`step\`, up to and including t.`,
  parameters: parametersOf(
    { query: text, start: text, end: text, step: text, stats: optional, ...bounds },
    {
      query: queryMeaning,
      start: `The first time: ${timeWords}.`,
      end: `The last time: ${timeWords}.`,
      step: `Between two times: ${durationWords}.`,
      stats: 'Anything but empty: the answer has `stats`.',
      ...boundMeanings,
    },
  ),
  answers: { 200: jsonAnswer('The values of each series.', rangeAnswer) },
  problems: queryProblems,
  sample: {
    parameters: {
      query: 'rate(logs{log_level="error"})',
      start: '2026-11-20T00:00:00Z',
      end: '2026-11-21T00:00:00Z',
      step: '1h',
    },
  },
}

export function rangeRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: '/api/v1/query_range',
    about: aboutRange,
    async handle(request) {
      const range = readRange(request.parameters)
      const { start, stepMs, pointCount } = range
      const buckets = { origin: start - stepMs + 1, stepMs, pointCount }
      return rangeReply(await evaluateOver(dependencies, request, buckets), range)
    },
  })
}

async function evaluateOver(
  dependencies: QueryDependencies,
  request: FormRequest,
  buckets: SeriesBuckets,
): Promise<QueryResult> {
  const { parameters } = request
  const text = requiredParameter(parameters, 'query')
  const { expression, hasName, interpretedAs } = readQuery(text, readVariables(parameters))
  const limit = readLimit(parameters)
  return runAsked(dependencies, request, async stop => {
    const found = await evaluateStored(dependencies.store, expression, buckets, stop)
    const { value: whole, skipped: skippedCount, stats: cost } = found
    const isCut = whole.kind === 'vector' && whole.series.length > limit
    const value = isCut ? { ...whole, series: whole.series.slice(0, limit) } : whole
    const wantsStats = (parameters.get('stats') ?? '') !== ''
    const stats = wantsStats ? { ...cost, valuesSkipped: skippedCount } : undefined
    return { value, hasName, stats, notes: notesOf({ isCut, skippedCount, cost, interpretedAs }) }
  })
}

function readRange(parameters: URLSearchParams) {
  const start = requiredTime(parameters, 'start')
  const end = requiredTime(parameters, 'end')
  requiredParameter(parameters, 'step')
  const stepMs = readDurationMs(parameters, 'step', 1)
  if (end < start) throw invalid('end', '"end" must not be before "start"')
  const stepCount = Math.floor((end - start) / stepMs)
  if (stepCount > pointsPerSeriesMax) {
    const detail = `"step" makes more than ${pointsPerSeriesMax} points per series: take a longer one`
    throw invalid('step', detail, parameters.get('step')!)
  }
  return { start, stepMs, pointCount: stepCount + 1 }
}
