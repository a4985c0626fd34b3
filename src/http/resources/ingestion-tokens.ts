/** Ingestion tokens, for admins only: list, make, show the secret again, delete. */

import { Type } from 'typebox'
import {
  createdTokenSchema,
  createTokenSchema,
  tokenSummarySchema,
} from '../../catalog/ingestion-tokens.ts'
import { limits } from '../../limits.ts'
import type { CatalogDoor, HttpDependencies } from '../dependencies.ts'
import { bodyLike, described, jsonAnswer } from '../openapi/operation.ts'
import { capture } from '../openapi/samples.ts'
import { jsonReply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'
import { deletionRoute, listRoute, saveRoute } from './kept.ts'

type Tokens = CatalogDoor['ingestionTokens']

const path = '/api/v1/settings/ingestion-tokens'

const newToken = bodyLike(createTokenSchema, { serviceName: 'checkout', environment: 'dev' })

const pathParameters = { id: 'The `id` of the token.' }
const ofNewToken = {
  before: [capture('TOKEN_ID', { from: path, body: newToken, behind: '"id":' })],
  path: { id: '$TOKEN_ID' },
}

function showSecret(tokens: Tokens): DescribedRoute {
  return {
    method: 'GET',
    path: `${path}/{id}/secret`,
    access: 'admin',
    body: 'none',
    about: {
      id: 'showIngestionToken',
      tag: 'Settings',
      summary: 'Show the secret of an ingestion token again',
      pathParameters,
      answers: { 200: jsonAnswer('The secret.', Type.Object({ token: Type.String() })) },
      problems: ['token_unknown'],
      sample: ofNewToken,
    },
    handle: ({ pathParameter }) => jsonReply({ token: tokens.secret(pathParameter('id')) }),
  }
}

export function ingestionTokenRoutes({
  catalog: { ingestionTokens: tokens },
}: Pick<HttpDependencies, 'catalog'>): readonly DescribedRoute[] {
  return [
    listRoute({
      path,
      access: 'admin',
      id: 'listIngestionTokens',
      tag: 'Settings',
      summary: 'List ingestion tokens',
      answer: 'All tokens, the oldest first.',
      each: ['tokens', tokenSummarySchema],
      list: () => tokens.list(),
    }),
    saveRoute({
      path,
      access: 'admin',
      id: 'createIngestionToken',
      tag: 'Settings',
      summary: 'Make an ingestion token',
      description: `What is sent with it gets its service name and environment. A token is never changed,
only deleted.`,
      body: described(createTokenSchema, {
        serviceName: 'Becomes `service.name` of every record.',
        environment: 'Becomes `environment` of every record.',
        browser: `For pages in a browser, where everybody can read it: counts only from origins that \`--cors-origins\`
names, for ${limits.browserAddressRequestsMax} requests a minute of one address and ${limits.browserTokenRequestsMax} of all, each of at most ${limits.browserBodyBytesMax / 1024} KiB.`,
        parse:
          '`json`: a message that is a text of one JSON object is taken apart as the event itself, as with `?parse=json`. Null or absent: only where a request asks for it.',
      }),
      answer: ['The token with its secret.', createdTokenSchema],
      status: 201,
      sample: newToken,
      save: body => tokens.create(body),
    }),
    showSecret(tokens),
    deletionRoute({
      path,
      access: 'admin',
      id: 'deleteIngestionToken',
      tag: 'Settings',
      summary: 'Delete an ingestion token',
      description: 'For good, and for the very next event. The records stay.',
      pathParameters,
      problems: ['token_unknown'],
      sample: ofNewToken,
      remove: id => tokens.delete(id),
    }),
  ]
}
