/** `format_query`: a query as we would write it. */

import { Type } from 'typebox'
import { parseQuery } from '../../../language/grammar.ts'
import { printQuery } from '../../../language/print.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import type { DescribedRoute } from '../../route.ts'
import { parametersOf, text } from '../prometheus/described.ts'
import { requiredParameter } from '../prometheus/parameters.ts'
import { successReply, successSchema } from './answers.ts'
import { queryMeaning } from './described.ts'
import { byGetAndPost } from './form-routes.ts'

export const formatQueryRoutes: readonly DescribedRoute[] = byGetAndPost({
  path: 'format_query',
  about: {
    id: 'lokiFormatQuery',
    summary: 'A query in its usual form',
    parameters: parametersOf({ query: text }, { query: queryMeaning }),
    answers: { 200: jsonAnswer('The query.', successSchema(Type.String())) },
    problems: ['field_invalid', 'query_syntax', 'query_regex', 'query_too_large'],
    sample: { parameters: { query: '{environment="prod",}|="a"' } },
  },
  handle: ({ parameters }) =>
    successReply(printQuery(parseQuery(requiredParameter(parameters, 'query')))),
})
