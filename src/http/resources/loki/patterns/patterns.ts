/** `patterns`: which kinds of messages there are, and how many of each over time. */

import { Type } from 'typebox'
import { limits } from '../../../../limits.ts'
import { jsonAnswer } from '../../../openapi/operation.ts'
import { queryProblems } from '../../../openapi/route-problems.ts'
import type { DescribedRoute } from '../../../route.ts'
import { optional, parametersOf, text } from '../../prometheus/described.ts'
import type { QueryDependencies } from '../../query/bounds.ts'
import { successReply, successSchema } from '../answers.ts'
import { range, rangeMeanings, stepWords } from '../described.ts'
import { readEntries } from '../entries.ts'
import { byGetAndPost } from '../form-routes.ts'
import { withOwnFields } from '../own-fields.ts'
import { requiredSelector } from '../parameters.ts'
import { readPoints } from '../points.ts'
import { runAsked } from '../run.ts'
import { readRange } from '../times.ts'
import { patternsOf } from './pattern-samples.ts'

const patternSchema = Type.Object({
  pattern: Type.String({ description: 'A message with `<_>` for what varies.' }),
  level: Type.String(),
  samples: Type.Array(Type.Array(Type.Integer(), { minItems: 2, maxItems: 2 }), {
    description: 'Begins of steps in seconds since 1970, and numbers of messages.',
  }),
})

const about = {
  id: 'lokiPatterns',
  summary: 'Kinds of messages',
  description: `Of the latest ${limits.lokiEntriesMax} messages that match, the most frequent kind first.`,
  parameters: parametersOf(
    { query: text, ...range, step: optional },
    {
      query: 'A selector; see the language above.',
      ...rangeMeanings('an hour'),
      step: `Between two samples: ${stepWords}. About 250 samples when absent.`,
    },
  ),
  answers: { 200: jsonAnswer('Patterns.', successSchema(Type.Array(patternSchema))) },
  problems: queryProblems,
  sample: { parameters: { query: '{service_name="checkout"}', since: '1h' } },
}

export function patternsRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return byGetAndPost({
    path: 'patterns',
    about,
    handle(request) {
      const { parameters } = request
      const selector = requiredSelector(parameters, 'query')
      const range = readRange(parameters)
      const { stepMs } = readPoints(parameters, range)
      const asked = { range, limit: limits.lokiEntriesMax, order: 'desc' } as const
      return runAsked(dependencies, request, async stop => {
        const { store } = dependencies
        const own = await withOwnFields(store, selector, range, stop)
        const { entries } = await readEntries(
          store,
          { ...asked, selector: own, intervalMs: 0 },
          stop,
        )
        return successReply(patternsOf(entries, stepMs))
      })
    },
  })
}
