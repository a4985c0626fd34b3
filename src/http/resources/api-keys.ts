/** API keys, for admins only: list, make, delete. */

import { apiKeySchema, createApiKeySchema, createdApiKeySchema } from '../../catalog/api-keys.ts'
import type { HttpDependencies } from '../dependencies.ts'
import { bodyLike, described } from '../openapi/operation.ts'
import { capture } from '../openapi/samples.ts'
import type { DescribedRoute } from '../route.ts'
import { deletionRoute, listRoute, saveRoute } from './kept.ts'

const path = '/api/v1/settings/api-keys'

const newKey = bodyLike(createApiKeySchema, { name: 'reports', role: 'viewer' })

export function apiKeyRoutes({
  catalog: { apiKeys },
}: Pick<HttpDependencies, 'catalog'>): readonly DescribedRoute[] {
  return [
    listRoute({
      path,
      access: 'admin',
      id: 'listApiKeys',
      tag: 'Settings',
      summary: 'List API keys',
      answer: 'All keys without their text, expired ones too, the oldest first.',
      each: ['keys', apiKeySchema],
      list: () => apiKeys.list(),
    }),
    saveRoute({
      path,
      access: 'admin',
      id: 'createApiKey',
      tag: 'Settings',
      summary: 'Make an API key',
      description: 'Each role may do all that the one before it may: viewer, editor, admin.',
      body: described(createApiKeySchema, {
        name: 'For people.',
        role: 'What its holder may do.',
        expiresAt: 'When it ends; never when absent.',
      }),
      answer: ['The key, shown this once.', createdApiKeySchema],
      status: 201,
      sample: newKey,
      save: body => apiKeys.create(body),
    }),
    deletionRoute({
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
    }),
  ]
}
