/** Answers about ingestion tokens, API keys, sessions and dashboards: what the catalog keeps. */

import { Type } from 'typebox'
import type { ApiKey, CreatedApiKey } from '../../catalog/api-keys.ts'
import { dashboardSchema } from '../../catalog/dashboard-schema.ts'
import type { DashboardSummary } from '../../catalog/dashboards.ts'
import type {
  CreatedIngestionToken,
  IngestionTokenSummary,
} from '../../catalog/ingestion-tokens.ts'
import { roles } from '../../catalog/roles.ts'
import { timestamp } from './records.ts'
import { schemaOf } from './schema-of.ts'

const orNever = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description })

const tokenFields = {
  id: Type.String(),
  serviceName: Type.String(),
  environment: Type.String(),
  parse: Type.Union([Type.Literal('json'), Type.Null()], {
    description: 'Whether messages that are JSON are taken apart.',
  }),
  createdAt: timestamp,
}

export const createdTokenSchema = schemaOf<CreatedIngestionToken>()(
  Type.Object({ ...tokenFields, token: Type.String({ description: 'The secret.' }) }),
)

export const tokenSchema = schemaOf<IngestionTokenSummary>()(
  Type.Object(
    {
      ...tokenFields,
      lastUsedAt: orNever('Milliseconds since 1970; null if it was never used.'),
      eventCount: Type.Integer({ minimum: 0, description: 'Events accepted with it.' }),
      hint: Type.String({ description: 'The last four characters of the secret.' }),
    },
    { description: 'An ingestion token without its secret.' },
  ),
)

const keyFields = {
  id: Type.String(),
  name: Type.String(),
  role: Type.Enum([...roles]),
  createdAt: timestamp,
  expiresAt: orNever('Milliseconds since 1970; null if it never expires.'),
}

export const apiKeySchema = schemaOf<ApiKey>()(
  Type.Object(keyFields, { description: 'An API key without its text.' }),
)

export const createdKeySchema = schemaOf<CreatedApiKey>()(
  Type.Object({ ...keyFields, key: Type.String({ description: 'The key itself, this once.' }) }),
)

export const sessionSchema = schemaOf<
  Pick<ApiKey, 'name' | 'role' | 'expiresAt'> & { readonly keyId: string }
>()(
  Type.Object({
    keyId: Type.String({ description: 'The `id` of the API key.' }),
    name: Type.String({ description: 'Of the API key.' }),
    role: Type.Enum([...roles]),
    expiresAt: orNever('Milliseconds since 1970: of the session, or of the key.'),
  }),
)

export const dashboardSummarySchema = schemaOf<DashboardSummary>()(
  Type.Object(
    {
      id: Type.String(),
      title: Type.String({ description: 'Of the metadata, or else of the content, or empty.' }),
      folderPath: Type.String(),
      createdAt: timestamp,
      updatedAt: timestamp,
    },
    { description: 'A dashboard as a list shows it.' },
  ),
)

/** In a dashboard every further field is kept and given back as it was sent. */
export const dashboardAnswer = Type.Object({ dashboard: dashboardSchema })
