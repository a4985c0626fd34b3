/** The document's words on ingestion tokens, API keys and storage. */

import { Type } from 'typebox'
import { createApiKeySchema } from '../../catalog/api-keys.ts'
import { createTokenSchema } from '../../catalog/ingestion-tokens.ts'
import {
  apiKeySchema,
  createdKeySchema,
  createdTokenSchema,
  tokenSchema,
} from '../schemas/settings.ts'
import { storageSchema } from '../schemas/storage.ts'
import { bodyLike, described, jsonAnswer, noContentAnswer, type Operation } from './operation.ts'
import { changeProblems } from './route-problems.ts'
import { capture } from './samples.ts'

const newToken = bodyLike(createTokenSchema, { serviceName: 'checkout', environment: 'dev' })
const newKey = bodyLike(createApiKeySchema, { name: 'reports', role: 'viewer' })
const tokens = '/api/v1/settings/ingestion-tokens'
const keys = '/api/v1/settings/api-keys'

export const settingsOperations = {
  listTokens: {
    id: 'listIngestionTokens',
    tag: 'Settings',
    summary: 'List ingestion tokens',
    answers: {
      200: jsonAnswer(
        'All tokens, the oldest first.',
        Type.Object({ tokens: Type.Array(tokenSchema) }),
      ),
    },
    sample: {},
  },

  createToken: {
    id: 'createIngestionToken',
    tag: 'Settings',
    summary: 'Make an ingestion token',
    description: `What is sent with it gets its service name and environment. A token is never changed,
only deleted.`,
    body: described(createTokenSchema, {
      serviceName: 'Becomes `service.name` of every record.',
      environment: 'Becomes `environment` of every record.',
      parse:
        '`json`: a message that is a text of one JSON object is taken apart as the event itself, as with `?parse=json`. Null or absent: only where a request asks for it.',
    }),
    answers: { 201: jsonAnswer('The token with its secret.', createdTokenSchema) },
    problems: changeProblems,
    sample: { body: newToken },
  },

  showSecret: {
    id: 'showIngestionToken',
    tag: 'Settings',
    summary: 'Show the secret of an ingestion token again',
    pathParameters: { id: 'The `id` of the token.' },
    answers: { 200: jsonAnswer('The secret.', Type.Object({ token: Type.String() })) },
    problems: ['token_unknown'],
    sample: {
      before: [capture('TOKEN_ID', { from: tokens, body: newToken, behind: '"id":' })],
      path: { id: '$TOKEN_ID' },
    },
  },

  removeToken: {
    id: 'deleteIngestionToken',
    tag: 'Settings',
    summary: 'Delete an ingestion token',
    description: 'For good, and for the very next event. The records stay.',
    pathParameters: { id: 'The `id` of the token.' },
    answers: { 204: noContentAnswer('It is gone.') },
    problems: ['token_unknown', ...changeProblems],
    sample: {
      before: [capture('TOKEN_ID', { from: tokens, body: newToken, behind: '"id":' })],
      path: { id: '$TOKEN_ID' },
    },
  },

  listKeys: {
    id: 'listApiKeys',
    tag: 'Settings',
    summary: 'List API keys',
    answers: {
      200: jsonAnswer(
        'All keys without their text, expired ones too, the oldest first.',
        Type.Object({ keys: Type.Array(apiKeySchema) }),
      ),
    },
    sample: {},
  },

  createKey: {
    id: 'createApiKey',
    tag: 'Settings',
    summary: 'Make an API key',
    description: 'Each role may do all that the one before it may: viewer, editor, admin.',
    body: described(createApiKeySchema, {
      name: 'For people.',
      role: 'What its holder may do.',
      expiresAt: 'When it ends; never when absent.',
    }),
    answers: { 201: jsonAnswer('The key, shown this once.', createdKeySchema) },
    problems: changeProblems,
    sample: { body: newKey },
  },

  removeKey: {
    id: 'deleteApiKey',
    tag: 'Settings',
    summary: 'Delete an API key',
    description: 'For good, and for the very next request; sessions that began with it end.',
    pathParameters: { id: 'The `id` of the key.' },
    answers: { 204: noContentAnswer('It is gone.') },
    problems: ['api_key_unknown', 'api_key_last_admin', ...changeProblems],
    sample: {
      before: [capture('KEY_ID', { from: keys, body: newKey, behind: '"id":' })],
      path: { id: '$KEY_ID' },
    },
  },

  showStorage: {
    id: 'showStorage',
    tag: 'Settings',
    summary: 'How storage stands',
    description: 'Size, retention, what has come in and what is waiting. For viewers too.',
    answers: { 200: jsonAnswer('The figures of this moment.', storageSchema) },
    sample: {},
  },
} as const satisfies Record<string, Operation>
