/** Names and values of labels, and which series there are. */

import { Type } from 'typebox'
import type { Selector } from '../../../language/ast.ts'
import { limits } from '../../../limits.ts'
import { type Labels, labelsKey } from '../../../query/evaluate/vector.ts'
import { seriesLabels, timeMax } from '../../../record.ts'
import { jsonAnswer, type Operation } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { Reply } from '../../reply/reply.ts'
import type { DescribedRoute, FormRequest } from '../../route.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { successReply, successSchema } from './answers.ts'
import {
  boundMeanings,
  bounds,
  matchesMeaning,
  parametersOf,
  range,
  rangeMeanings,
  selectors,
} from './described.ts'
import { byGet, byGetAndPost } from './form-routes.ts'
import { metricName, nameLabel } from './metric-name.ts'
import { invalid, readLimit, readTime } from './parameters.ts'
import { notesOf, runAsked } from './run.ts'
import { readLabelName, readMatches } from './selectors.ts'

const textsAnswer = successSchema(Type.Array(Type.String()))
const seriesAnswer = successSchema(Type.Array(Type.Record(Type.String(), Type.String())))

const ofAnyMatch = parametersOf(
  { 'match[]': Type.Optional(selectors), ...range, ...bounds },
  { 'match[]': matchesMeaning, ...rangeMeanings, ...boundMeanings },
)

const aboutLabels: Operation = {
  id: 'prometheusLabels',
  tag: 'Prometheus',
  summary: 'The names of all labels',
  parameters: ofAnyMatch,
  answers: { 200: jsonAnswer('Names in order.', textsAnswer) },
  problems: queryProblems,
  sample: {},
}

export function labelsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: '/api/v1/labels',
    about: aboutLabels,
    async handle(request) {
      const times = readTimes(request.parameters)
      return gather(dependencies, request, async (selector, stop) => {
        const { fields } = await dependencies.store.fields({ selector, ...times }, stop)
        return [nameLabel, ...fields.map(({ name }) => name)]
      })
    },
  })
}

const aboutLabelValues: Operation = {
  id: 'prometheusLabelValues',
  tag: 'Prometheus',
  summary: 'The values of a label',
  pathParameters: {
    name: 'The label, as it is or in the escaping that Prometheus calls values.',
  },
  parameters: ofAnyMatch,
  answers: { 200: jsonAnswer('Values in order.', textsAnswer) },
  problems: queryProblems,
  sample: { path: { name: 'log_level' } },
}

export function labelValuesRoute(dependencies: QueryDependencies): DescribedRoute {
  return byGet({
    path: '/api/v1/label/{name}/values',
    about: aboutLabelValues,
    async handle(request) {
      const times = readTimes(request.parameters)
      const field = readLabelName(request.pathParameter('name'))
      if (field === nameLabel) return gather(dependencies, request, async () => [metricName])
      let isWhole = true
      const ask = async (selector: Selector, stop: AbortSignal) => {
        const asked = { selector, ...times, field, prefix: '', limit: limits.fieldValuesMax }
        const { values, tooManyValues } = await dependencies.store.values(asked, stop)
        if (tooManyValues === true) isWhole = false
        return values.map(({ value }) => value).filter(value => value !== '')
      }
      return gather(dependencies, request, ask, () => isWhole)
    },
  })
}

const aboutSeries: Operation = {
  id: 'prometheusSeries',
  tag: 'Prometheus',
  summary: 'The series that match',
  description: 'Of the one metric `logs`: each stream and level is a series of it.',
  parameters: parametersOf(
    { 'match[]': selectors, ...range, ...bounds },
    { 'match[]': matchesMeaning, ...rangeMeanings, ...boundMeanings },
  ),
  answers: { 200: jsonAnswer('The labels of each.', seriesAnswer) },
  problems: queryProblems,
  sample: { parameters: { 'match[]': 'logs{log_level="error"}' } },
}

export function seriesRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: '/api/v1/series',
    about: aboutSeries,
    async handle(request) {
      const { parameters } = request
      if (!parameters.has('match[]')) throw invalid('match[]', '"match[]" is missing')
      const times = readTimes(parameters)
      const limit = readLimit(parameters)
      const found = new Map<string, Labels>()
      await runAsked(dependencies, request, async stop => {
        for (const selector of readMatches(parameters)) {
          const asked = { selector, ...times, by: seriesLabels, limit: 0, cursor: undefined }
          const { groups = [] } = await dependencies.store.select({ ...asked, order: 'asc' }, stop)
          for (const { labels } of groups) found.set(labelsKey(labels), labels)
        }
      })
      const all = [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
      const shown = all
        .slice(0, limit)
        .map(([, labels]) => ({ [nameLabel]: metricName, ...labels }))
      return successReply(shown, notesOf({ isCut: all.length > limit, skippedCount: 0 }))
    },
  })
}

/** Asks for names or values under each selector of `match[]`, and returns all of them in order. */
async function gather(
  dependencies: QueryDependencies,
  request: FormRequest,
  ask: (selector: Selector, stop: AbortSignal) => Promise<readonly string[]>,
  isWhole: () => boolean = () => true,
): Promise<Reply> {
  const limit = readLimit(request.parameters)
  const found = new Set<string>()
  await runAsked(dependencies, request, async stop => {
    for (const selector of readMatches(request.parameters)) {
      for (const text of await ask(selector, stop)) found.add(text)
    }
  })
  const texts = [...found].sort()
  const notes = notesOf({ isCut: texts.length > limit, skippedCount: 0 })
  const tooMany = 'the label has too many values: none of them is shown'
  return successReply(
    texts.slice(0, limit),
    isWhole() ? notes : { ...notes, warnings: [...notes.warnings, tooMany] },
  )
}

/** `start` and `end` of operations about labels: everything when they are absent. */
function readTimes(parameters: URLSearchParams): { startTime: number; endTime: number } {
  const startTime = readTime(parameters, 'start', -timeMax)
  const endTime = readTime(parameters, 'end', timeMax)
  if (endTime < startTime) throw invalid('end', '"end" must not be before "start"')
  return { startTime, endTime }
}
