/** The labels that distinguish streams, their values, and the streams that have them. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { matchesMeaning, parametersOf } from '../prometheus/described.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { aboutRecords } from './about-records.ts'
import { successReply, successSchema } from './answers.ts'
import { range, rangeMeanings } from './described.ts'
import { valuesOf } from './fields.ts'
import { byGetAndPost } from './form-routes.ts'
import { readMatches } from './parameters.ts'
import { runAsked } from './run.ts'
import { type StreamGroup, streamGroups } from './stream-groups.ts'
import { labelsSchema } from './streams.ts'
import { readRange } from './times.ts'

const texts = successSchema(Type.Array(Type.String()))

/** `labels`: the names of the labels that distinguish streams. */
export function labelsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return aboutRecords(dependencies, {
    path: 'labels',
    id: 'lokiLabels',
    summary: 'The names of stream labels',
    description: 'Not of structured metadata: `detected_fields` has these.',
    since: 'six hours',
    answers: { 200: jsonAnswer('Names in order.', texts) },
    sample: { parameters: { since: '1h' } },
    ask:
      ({ selector, range }) =>
      async stop => {
        const { groups } = await streamGroups(dependencies.store, selector, range, stop)
        return successReply(namesOf(groups).sort())
      },
  })
}

/** `label/{name}/values`: the values of a label, be it of streams or of metadata. */
export function labelValuesRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return aboutRecords(dependencies, {
    path: 'label/{name}/values',
    id: 'lokiLabelValues',
    summary: 'The values of a label',
    pathParameters: { name: "The label, under LogQL's name: `service_name`." },
    since: 'six hours',
    answers: { 200: jsonAnswer('Values in order.', texts) },
    sample: { path: { name: 'service_name' }, parameters: { since: '1h' } },
    ask: (looked, request) => {
      const name = request.pathParameter('name')
      return async stop => successReply(await valuesOf(dependencies.store, name, looked, stop))
    },
  })
}

const detectedSchema = Type.Object({
  detectedLabels: Type.Array(
    Type.Object({ label: Type.String(), cardinality: Type.Integer({ minimum: 1 }) }),
  ),
})

/** `detected_labels`: the stream labels, each with its number of values. */
export function detectedLabelsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return aboutRecords(dependencies, {
    path: 'detected_labels',
    id: 'lokiDetectedLabels',
    summary: 'Stream labels with their numbers of values',
    answers: { 200: jsonAnswer('Each label.', detectedSchema) },
    sample: { parameters: { since: '1h' } },
    ask:
      ({ selector, range }) =>
      async stop => {
        const { groups } = await streamGroups(dependencies.store, selector, range, stop)
        const detectedLabels = namesOf(groups).map(label => ({
          label,
          cardinality: new Set(groups.map(({ labels }) => labels[label])).size,
        }))
        return jsonReply({ detectedLabels })
      },
  })
}

/** Each name once. */
function namesOf(groups: readonly StreamGroup[]): string[] {
  return [...new Set(groups.flatMap(({ labels }) => Object.keys(labels)))]
}

const matches = Type.Optional(Type.Array(Type.String()))

const aboutSeries = {
  id: 'lokiSeries',
  summary: 'The streams that match',
  parameters: parametersOf(
    { 'match[]': matches, match: matches, ...range },
    {
      'match[]': `${matchesMeaning} At least one, at most ${limits.matchSelectorsMax}.`,
      match: 'The same, as logcli writes it.',
      ...rangeMeanings('an hour'),
    },
  ),
  answers: { 200: jsonAnswer('The labels of each.', successSchema(Type.Array(labelsSchema))) },
  problems: queryProblems,
  sample: { parameters: { 'match[]': '{environment="prod"}', since: '1h' } },
}

/** `series`: the streams that match, each as its labels. */
export function seriesRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'series',
    about: aboutSeries,
    handle(request) {
      const selectors = readMatches(request.parameters)
      const range = readRange(request.parameters)
      return runAsked(dependencies, request, async stop => {
        const found = new Map<string, object>()
        for (const selector of selectors) {
          const { groups } = await streamGroups(dependencies.store, selector, range, stop)
          for (const { labels } of groups) found.set(JSON.stringify(labels), labels)
        }
        return successReply([...found.entries()].sort(byKey).map(([, labels]) => labels))
      })
    },
  })
}

const byKey = ([a]: readonly [string, object], [b]: readonly [string, object]) => (a < b ? -1 : 1)
