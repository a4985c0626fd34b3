/**
 * Every operation of the service: method, path, who may, what body, and which handler. This table
 * is the only source: what is not in it is answered 404, and a route without an access rule, or one
 * that takes events without an ingestion token, does not compile.
 */

import type { IngestionToken } from '../catalog/ingestion-tokens.ts'
import type { Role } from '../catalog/roles.ts'
import type { HttpDependencies } from './dependencies.ts'
import { dashboardHandlers } from './handlers/dashboards.ts'
import { healthHandlers } from './handlers/health.ts'
import { ingestHandlers } from './handlers/ingest.ts'
import { queryHandlers } from './handlers/query.ts'
import { settingsHandlers } from './handlers/settings.ts'
import type { Reply } from './reply.ts'

type Handler<Request> = (request: Request) => Reply | Promise<Reply>

export interface PlainRequest {
  /** What stands for `{id}` in the path, decoded; empty for a path without it. */
  readonly id: string
}

export interface JsonRequest {
  /** What the body says; its shape is for the handler to check. */
  readonly body: unknown
  /** Aborts when the client goes away. Made at the first call. */
  signal(): AbortSignal
}

export interface IngestRequest {
  readonly token: IngestionToken
  /** Decoded, within the route's limit; may be empty. */
  readonly body: Buffer
  /** What follows the `?`, still encoded. */
  readonly query: string
}

interface PlainRoute {
  readonly method: 'GET' | 'DELETE'
  readonly path: string
  readonly access: 'open' | Role
  /** A body is not read. */
  readonly body: 'none'
  readonly handle: Handler<PlainRequest>
}

interface JsonRoute {
  readonly method: 'POST'
  readonly path: string
  readonly access: Role
  readonly body: 'json'
  readonly handle: Handler<JsonRequest>
}

interface IngestRoute {
  readonly method: 'POST'
  readonly path: string
  readonly access: 'ingestion-token'
  readonly body: 'ingest'
  readonly contentTypes: readonly string[]
  /** Of the decoded body. */
  readonly bodyBytesMax: number
  readonly handle: Handler<IngestRequest>
}

export type Route = PlainRoute | JsonRoute | IngestRoute

export function createRoutes(dependencies: HttpDependencies): readonly Route[] {
  const { config } = dependencies
  const ingest = ingestHandlers(dependencies)
  const query = queryHandlers(dependencies)
  const dashboards = dashboardHandlers(dependencies)
  const settings = settingsHandlers(dependencies)
  const health = healthHandlers(dependencies)
  const plain = { body: 'none' } as const
  const json = { method: 'POST', body: 'json' } as const
  const events = { method: 'POST', access: 'ingestion-token', body: 'ingest' } as const
  const get = { method: 'GET', ...plain } as const
  const remove = { method: 'DELETE', ...plain } as const
  const tokens = '/api/v1/settings/ingestion-tokens'
  const keys = '/api/v1/settings/api-keys'

  return [
    {
      ...events,
      path: '/api/v1/webhook/event/log',
      contentTypes: ['application/json'],
      bodyBytesMax: config.eventBytesMax,
      handle: ingest.one,
    },
    {
      ...events,
      path: '/api/v1/webhook/event/logs',
      contentTypes: ['application/json', 'application/x-ndjson', 'application/stream+json'],
      bodyBytesMax: config.batchBytesMax,
      handle: ingest.many,
    },

    { ...json, path: '/api/v1/query/logs', access: 'viewer', handle: query.select },
    {
      ...json,
      path: '/api/v1/query/logs/histogram',
      access: 'viewer',
      handle: query.histogram,
    },

    { ...json, path: '/api/v1/dashboards/update', access: 'editor', handle: dashboards.update },
    { ...get, path: '/api/v1/dashboards', access: 'viewer', handle: dashboards.list },
    { ...get, path: '/api/v1/dashboards/{id}', access: 'viewer', handle: dashboards.show },
    { ...remove, path: '/api/v1/dashboards/{id}', access: 'editor', handle: dashboards.remove },

    { ...get, path: tokens, access: 'admin', handle: settings.listTokens },
    { ...json, path: tokens, access: 'admin', handle: settings.createToken },
    { ...get, path: `${tokens}/{id}/secret`, access: 'admin', handle: settings.showSecret },
    { ...remove, path: `${tokens}/{id}`, access: 'admin', handle: settings.removeToken },
    { ...get, path: keys, access: 'admin', handle: settings.listKeys },
    { ...json, path: keys, access: 'admin', handle: settings.createKey },
    { ...remove, path: `${keys}/{id}`, access: 'admin', handle: settings.removeKey },

    { ...get, path: '/health', access: 'open', handle: health.live },
    { ...get, path: '/ready', access: 'open', handle: health.ready },
    { ...get, path: '/metrics', access: config.metricsAccess, handle: health.metrics },
  ]
}

/** What `Allow` says of `path`; undefined when no route has it. */
export function allowedMethods(routes: readonly Route[], path: string): string | undefined {
  const segments = path.split('/')
  const methods = routes
    .filter(route => isAt(route.path.split('/'), segments))
    .flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return methods.length === 0 ? undefined : [...methods, 'OPTIONS'].join(', ')
}

function isAt(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) =>
      part === '{id}' ? segments[index] !== '' : part === segments[index],
    )
  )
}
