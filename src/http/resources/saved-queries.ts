/** Saved queries: save, list, delete. */

import { Type } from 'typebox'
import { savedQuerySchema, saveQuerySchema } from '../../catalog/saved-queries.ts'
import type { CatalogDoor, HttpDependencies } from '../dependencies.ts'
import { bodyLike, described, jsonAnswer } from '../openapi/operation.ts'
import { changeProblems } from '../openapi/route-problems.ts'
import { capture } from '../openapi/samples.ts'
import { jsonReply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'
import { deletionRoute, listRoute } from './kept.ts'

type SavedQueries = CatalogDoor['savedQueries']

export function savedQueryRoutes({
  catalog: { savedQueries },
}: Pick<HttpDependencies, 'catalog'>): readonly DescribedRoute[] {
  return [save(savedQueries), list(savedQueries), remove(savedQueries)]
}

const path = '/api/v1/saved-queries'

const newQuery = bodyLike(saveQuerySchema, {
  name: 'Errors of checkout',
  query: 'logs{log_level="error", service.name="checkout"}',
})

function save(savedQueries: SavedQueries): DescribedRoute {
  return {
    method: 'POST',
    path,
    access: 'editor',
    body: 'json',
    about: {
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
    handle: async ({ body }) => jsonReply(await savedQueries.save(body)),
  }
}

function list(savedQueries: SavedQueries): DescribedRoute {
  return listRoute({
    path,
    access: 'viewer',
    id: 'listSavedQueries',
    tag: 'Queries',
    summary: 'List saved queries',
    answer: ['All of them, by name.', Type.Object({ savedQueries: Type.Array(savedQuerySchema) })],
    list: () => ({ savedQueries: savedQueries.list() }),
  })
}

function remove(savedQueries: SavedQueries): DescribedRoute {
  return deletionRoute({
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
  })
}
