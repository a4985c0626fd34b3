/** `series`: the streams that match, each as its labels. */

import { Type } from 'typebox'
import { limits } from '../../../limits.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { DescribedRoute } from '../../route.ts'
import { matchesMeaning, parametersOf } from '../prometheus/described.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { successReply, successSchema } from './answers.ts'
import { range, rangeMeanings } from './described.ts'
import { byGetAndPost } from './form-routes.ts'
import { readMatches } from './parameters.ts'
import { runAsked } from './run.ts'
import { streamGroups } from './stream-groups.ts'
import { labelsSchema } from './streams.ts'
import { readRange } from './times.ts'

const matches = Type.Optional(Type.Array(Type.String()))

const about = {
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

export function seriesRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'series',
    about,
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
