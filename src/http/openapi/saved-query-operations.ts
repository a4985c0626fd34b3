/** The document's words on saved queries. */

import { Type } from 'typebox'
import { saveQuerySchema } from '../../catalog/saved-queries.ts'
import { savedQuerySchema } from '../schemas/saved-queries.ts'
import { bodyLike, described, jsonAnswer, noContentAnswer, type Operation } from './operation.ts'
import { changeProblems } from './route-problems.ts'
import { capture } from './samples.ts'

const newQuery = bodyLike(saveQuerySchema, {
  name: 'Errors of checkout',
  query: 'logs{log_level="error", service.name="checkout"}',
})
const path = '/api/v1/saved-queries'

export const savedQueryOperations = {
  save: {
    id: 'saveQuery',
    tag: 'Queries',
    summary: 'Save a query under a name',
    description:
      'Everybody sees it. Saving under a name that is there already replaces that query.',
    body: described(saveQuerySchema, {
      name: 'What it is found by.',
      query: 'Its text, as it is; it is not parsed.',
      columns: 'Fields that the page shows as columns with it; none when absent.',
    }),
    answers: { 200: jsonAnswer('It is saved.', savedQuerySchema) },
    problems: ['saved_queries_too_many', ...changeProblems],
    sample: { body: newQuery },
  },

  list: {
    id: 'listSavedQueries',
    tag: 'Queries',
    summary: 'List saved queries',
    answers: {
      200: jsonAnswer(
        'All of them, by name.',
        Type.Object({ savedQueries: Type.Array(savedQuerySchema) }),
      ),
    },
    sample: {},
  },

  remove: {
    id: 'deleteSavedQuery',
    tag: 'Queries',
    summary: 'Delete a saved query',
    pathParameters: { id: 'The `id` of the saved query.' },
    answers: { 204: noContentAnswer('It is gone.') },
    problems: ['saved_query_unknown', ...changeProblems],
    sample: {
      before: [capture('QUERY_ID', { from: path, body: newQuery, behind: '"id":' })],
      path: { id: '$QUERY_ID' },
    },
  },
} as const satisfies Record<string, Operation>
