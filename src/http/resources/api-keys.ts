/** API keys, for admins only: list, make, delete. */

import { Type } from 'typebox'
import { apiKeySchema, createApiKeySchema, createdApiKeySchema } from '../../catalog/api-keys.ts'
import type { CatalogDoor, HttpDependencies } from '../dependencies.ts'
import { bodyLike, described, jsonAnswer } from '../openapi/operation.ts'
import { changeProblems } from '../openapi/route-problems.ts'
import { capture } from '../openapi/samples.ts'
import { jsonReply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'
import { deletionRoute, listRoute } from './kept.ts'

type Keys = CatalogDoor['apiKeys']

export function apiKeyRoutes({
  catalog: { apiKeys },
}: Pick<HttpDependencies, 'catalog'>): readonly DescribedRoute[] {
  return [list(apiKeys), create(apiKeys), remove(apiKeys)]
}

const path = '/api/v1/settings/api-keys'

function list(apiKeys: Keys): DescribedRoute {
  return listRoute({
    path,
    access: 'admin',
    id: 'listApiKeys',
    tag: 'Settings',
    summary: 'List API keys',
    answer: [
      'All keys without their text, expired ones too, the oldest first.',
      Type.Object({ keys: Type.Array(apiKeySchema) }),
    ],
    list: () => ({ keys: apiKeys.list() }),
  })
}

const newKey = bodyLike(createApiKeySchema, { name: 'reports', role: 'viewer' })

function create(apiKeys: Keys): DescribedRoute {
  return {
    method: 'POST',
    path,
    access: 'admin',
    body: 'json',
    about: {
      id: 'createApiKey',
      tag: 'Settings',
      summary: 'Make an API key',
      description: 'Each role may do all that the one before it may: viewer, editor, admin.',
      body: described(createApiKeySchema, {
        name: 'For people.',
        role: 'What its holder may do.',
        expiresAt: 'When it ends; never when absent.',
      }),
      answers: { 201: jsonAnswer('The key, shown this once.', createdApiKeySchema) },
      problems: changeProblems,
      sample: { body: newKey },
    },
    handle: async ({ body }) => jsonReply(await apiKeys.create(body), 201),
  }
}

function remove(apiKeys: Keys): DescribedRoute {
  return deletionRoute({
    path,
    access: 'admin',
    id: 'deleteApiKey',
    tag: 'Settings',
    summary: 'Delete an API key',
    description: 'For good, and for the very next request; sessions that began with it end.',
    pathParameters: { id: 'The `id` of the key.' },
    problems: ['api_key_unknown', 'api_key_last_admin'],
    sample: {
      before: [capture('KEY_ID', { from: path, body: newKey, behind: '"id":' })],
      path: { id: '$KEY_ID' },
    },
    remove: id => apiKeys.delete(id),
  })
}
