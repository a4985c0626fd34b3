/** Saved queries: save, list, delete. */

import { savedQuerySchema, saveQuerySchema } from '../../catalog/saved-queries.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { bodyLike, described } from '../openapi/operation.ts'
import { capture } from '../openapi/samples.ts'
import type { DescribedRoute } from '../route.ts'
import { deletionRoute, listRoute, saveRoute } from './kept.ts'

const path = '/api/v1/saved-queries'

const newQuery = bodyLike(saveQuerySchema, {
  name: 'Errors of checkout',
  query: 'logs{log_level="error", service.name="checkout"}',
})

export function savedQueryRoutes({
  catalog: { savedQueries },
}: Pick<HttpDependencies, 'catalog'>): readonly DescribedRoute[] {
  return [
    saveRoute({
      path,
      access: 'editor',
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
      answer: ['It is saved.', savedQuerySchema],
      problems: ['saved_queries_too_many'],
      sample: newQuery,
      save: body => savedQueries.save(body),
    }),
    listRoute({
      path,
      access: 'viewer',
      id: 'listSavedQueries',
      tag: 'Queries',
      summary: 'List saved queries',
      answer: 'All of them, by name.',
      each: ['savedQueries', savedQuerySchema],
      list: () => savedQueries.list(),
    }),
    deletionRoute({
      path,
      access: 'editor',
      id: 'deleteSavedQuery',
      tag: 'Queries',
      summary: 'Delete a saved query',
      pathParameters: { id: 'The `id` of the saved query.' },
      problems: ['saved_query_unknown'],
      sample: {
        before: [capture('QUERY_ID', { from: path, body: newQuery, behind: '"id":' })],
        path: { id: '$QUERY_ID' },
      },
      remove: id => savedQueries.delete(id),
    }),
  ]
}
