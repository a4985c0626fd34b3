/**
 * Every operation of the service: method, path, who may, what body, and which handler. This table
 * is the only source: what is not in it is answered 404, and a route without an access rule or without
 * a description, or one that takes events without an ingestion token, does not compile.
 */

import type { IngestionToken } from '../catalog/ingestion-tokens.ts'
import type { Role } from '../catalog/roles.ts'
import type { BodyClaim } from '../ingest/body-memory.ts'
import type { Caller } from './access/grant.ts'
import type { HttpDependencies } from './dependencies.ts'
import { backupOperations } from './openapi/backup-operations.ts'
import { dashboardOperations } from './openapi/dashboard-operations.ts'
import { ingestOperations } from './openapi/ingest-operations.ts'
import type { Operation } from './openapi/operation.ts'
import { otlpOperations } from './openapi/otlp-operations.ts'
import { prometheusOperations } from './openapi/prometheus-operations.ts'
import { queryOperations } from './openapi/query-operations.ts'
import { savedQueryOperations } from './openapi/saved-query-operations.ts'
import { serviceOperations } from './openapi/service-operations.ts'
import { sessionOperations } from './openapi/session-operations.ts'
import { settingsOperations } from './openapi/settings-operations.ts'
import { streamOperations } from './openapi/stream-operations.ts'
import { pageRoutes } from './pages.ts'
import type { Reply } from './reply/reply.ts'
import { backupHandlers } from './resources/backup.ts'
import { dashboardHandlers } from './resources/dashboards.ts'
import { withDocumentation } from './resources/documentation.ts'
import { ingestHandlers } from './resources/events/events.ts'
import { otlpHandlers } from './resources/events/otlp.ts'
import { otlpContentTypes } from './resources/events/otlp-answers.ts'
import { healthHandlers } from './resources/health.ts'
import { prometheusHandlers } from './resources/prometheus/prometheus.ts'
import { exploreHandlers } from './resources/query/explore.ts'
import { exportHandlers } from './resources/query/export.ts'
import { queryHandlers } from './resources/query/query.ts'
import { QueryRunner } from './resources/query/query-runner.ts'
import { tailHandlers } from './resources/query/tail.ts'
import { savedQueryHandlers } from './resources/saved-queries.ts'
import { type BrowserHeaders, sessionHandlers } from './resources/session.ts'
import { settingsHandlers } from './resources/settings.ts'

export type Handler<Request> = (request: Request) => Reply | Promise<Reply>

/** What every request but an event's comes with. */
export interface AskingRequest {
  /** What stands for `{name}` in the path, decoded. */
  pathParameter(name: string): string
  /** Headers that say in which form the answer is wanted, and on what condition; empty when absent. */
  readonly headers: RequestHeaders
  /** Who asks; empty on routes that are open. */
  readonly caller: Caller
  /** What a browser says of where the request comes from. */
  readonly browser: BrowserHeaders
  /** Aborts when the client goes away, or a live answer is to end. Made at the first call. */
  signal(): AbortSignal
  /** Whether the credential would still be let through: a live answer may outlast it. */
  isStillGranted(): boolean
}

export interface RequestHeaders {
  readonly accept: string
  readonly acceptEncoding: string
  readonly lastEventId: string
  readonly ifNoneMatch: string
  readonly ifMatch: string
}

export interface PlainRequest extends AskingRequest {
  /** What follows the `?`, decoded. */
  readonly query: URLSearchParams
}

export interface FormRequest extends AskingRequest {
  /** Of a form in the body first, then of the query string. */
  readonly parameters: URLSearchParams
}

export interface JsonRequest extends AskingRequest {
  /** What the body says; its shape is for the handler to check. */
  readonly body: unknown
}

export interface IngestRequest {
  readonly token: IngestionToken
  /**
   * Decoded, within the route's limit; may be empty. When it is small it is only lent, see
   * `body/collect-body.ts`: it must be read before the handler waits for anything.
   */
  readonly body: Buffer<ArrayBuffer>
  /** What follows the `?`, still encoded. */
  readonly query: string
  /** The one of the route's that the body has. */
  readonly contentType: string
  /** What the request takes of the memory for bodies, until it is answered. */
  readonly memory: BodyClaim
}

interface AnyRoute {
  readonly path: string
  /** The form of its errors, also of those before the handler; a problem document if absent. */
  readonly errors?: 'prometheus' | 'otlp'
}

interface PlainRoute extends AnyRoute {
  readonly method: 'GET' | 'DELETE'
  readonly access: 'open' | Role
  /** A body is not read. */
  readonly body: 'none'
  readonly handle: Handler<PlainRequest>
}

/** GET reads no body. POST takes a form; one without any body needs no `Content-Type`. */
interface FormRoute extends AnyRoute {
  readonly method: 'GET' | 'POST'
  readonly access: Role
  readonly body: 'form'
  readonly handle: Handler<FormRequest>
}

interface JsonRoute extends AnyRoute {
  readonly method: 'POST'
  readonly access: 'open' | Role
  readonly body: 'json'
  readonly handle: Handler<JsonRequest>
}

interface IngestRoute extends AnyRoute {
  readonly method: 'POST'
  readonly access: 'ingestion-token'
  readonly body: 'ingest'
  readonly contentTypes: readonly string[]
  /** Of the decoded body. */
  readonly bodyBytesMax: number
  readonly handle: Handler<IngestRequest>
}

export type Route = PlainRoute | FormRoute | JsonRoute | IngestRoute

/** A route and what the API's document says of it. */
export type DescribedRoute = Route & { readonly about: Operation }

export function createRoutes(dependencies: HttpDependencies): readonly DescribedRoute[] {
  const { config } = dependencies
  const ingest = ingestHandlers(dependencies)
  const describedIngest = ingestOperations(config)
  const otlp = otlpHandlers(dependencies)
  const runner = new QueryRunner({
    runningMax: config.concurrentQueriesMax,
    queueTimeoutMs: config.queryQueueTimeoutMs,
  })
  const query = queryHandlers({ ...dependencies, runner })
  const explore = exploreHandlers({ ...dependencies, runner })
  const tail = tailHandlers(dependencies)
  const exported = exportHandlers(dependencies)
  const prometheus = prometheusHandlers({ ...dependencies, runner })
  const dashboards = dashboardHandlers(dependencies)
  const savedQueries = savedQueryHandlers(dependencies)
  const settings = settingsHandlers(dependencies)
  const backup = backupHandlers(dependencies)
  const health = healthHandlers(dependencies)
  const session = sessionHandlers(dependencies)
  const plain = { body: 'none' } as const
  const json = { method: 'POST', body: 'json' } as const
  const events = { method: 'POST', access: 'ingestion-token', body: 'ingest' } as const
  const get = { method: 'GET', ...plain } as const
  const remove = { method: 'DELETE', ...plain } as const
  const form = { method: 'GET', access: 'viewer', body: 'form', errors: 'prometheus' } as const
  const tokens = '/api/v1/settings/ingestion-tokens'
  const keys = '/api/v1/settings/api-keys'

  return withDocumentation([
    {
      ...events,
      path: '/api/v1/webhook/event/log',
      contentTypes: ['application/json'],
      bodyBytesMax: config.eventBytesMax,
      handle: ingest.one,
      about: describedIngest.one,
    },
    {
      ...events,
      path: '/api/v1/webhook/event/logs',
      contentTypes: ['application/json', 'application/x-ndjson', 'application/stream+json'],
      bodyBytesMax: config.batchBytesMax,
      handle: ingest.many,
      about: describedIngest.many,
    },
    {
      ...events,
      path: '/api/v1/otlp/v1/logs',
      errors: 'otlp',
      contentTypes: Object.values(otlpContentTypes),
      bodyBytesMax: config.batchBytesMax,
      handle: otlp.logs,
      about: otlpOperations(config).logs,
    },

    {
      ...json,
      path: '/api/v1/query/logs',
      access: 'viewer',
      handle: query.select,
      about: queryOperations.select,
    },
    {
      ...json,
      path: '/api/v1/query/logs/histogram',
      access: 'viewer',
      handle: query.histogram,
      about: queryOperations.histogram,
    },
    {
      ...json,
      path: '/api/v1/query/logs/facets',
      access: 'viewer',
      handle: explore.facets,
      about: queryOperations.facets,
    },
    {
      ...json,
      path: '/api/v1/query/logs/fields',
      access: 'viewer',
      handle: explore.fields,
      about: queryOperations.fields,
    },
    {
      ...json,
      path: '/api/v1/query/logs/values',
      access: 'viewer',
      handle: explore.values,
      about: queryOperations.values,
    },
    {
      ...json,
      path: '/api/v1/query/logs/context',
      access: 'viewer',
      handle: explore.context,
      about: queryOperations.context,
    },
    {
      ...get,
      path: '/api/v1/query/logs/tail',
      access: 'viewer',
      handle: tail.follow,
      about: streamOperations.tail,
    },
    {
      ...json,
      path: '/api/v1/query/logs/export',
      access: 'viewer',
      handle: exported.export,
      about: streamOperations.export,
    },

    ...prometheusRoutes('/api/v1/query', prometheus.query, prometheusOperations.query),
    ...prometheusRoutes(
      '/api/v1/query_range',
      prometheus.queryRange,
      prometheusOperations.queryRange,
    ),
    ...prometheusRoutes(
      '/api/v1/query_exemplars',
      prometheus.exemplars,
      prometheusOperations.exemplars,
    ),
    ...prometheusRoutes('/api/v1/labels', prometheus.labels, prometheusOperations.labels),
    {
      ...form,
      path: '/api/v1/label/{name}/values',
      handle: prometheus.labelValues,
      about: prometheusOperations.labelValues,
    },
    ...prometheusRoutes('/api/v1/series', prometheus.series, prometheusOperations.series),
    {
      ...form,
      path: '/api/v1/metadata',
      handle: prometheus.metadata,
      about: prometheusOperations.metadata,
    },
    { ...form, path: '/api/v1/rules', handle: prometheus.rules, about: prometheusOperations.rules },
    {
      ...form,
      path: '/api/v1/alerts',
      handle: prometheus.alerts,
      about: prometheusOperations.alerts,
    },
    {
      ...form,
      path: '/api/v1/status/buildinfo',
      handle: prometheus.buildInfo,
      about: prometheusOperations.buildInfo,
    },

    {
      ...json,
      path: '/api/v1/saved-queries',
      access: 'editor',
      handle: savedQueries.save,
      about: savedQueryOperations.save,
    },
    {
      ...get,
      path: '/api/v1/saved-queries',
      access: 'viewer',
      handle: savedQueries.list,
      about: savedQueryOperations.list,
    },
    {
      ...remove,
      path: '/api/v1/saved-queries/{id}',
      access: 'editor',
      handle: savedQueries.remove,
      about: savedQueryOperations.remove,
    },

    {
      ...json,
      path: '/api/v1/dashboards/update',
      access: 'editor',
      handle: dashboards.update,
      about: dashboardOperations.update,
    },
    {
      ...get,
      path: '/api/v1/dashboards',
      access: 'viewer',
      handle: dashboards.list,
      about: dashboardOperations.list,
    },
    {
      ...get,
      path: '/api/v1/dashboards/{id}',
      access: 'viewer',
      handle: dashboards.show,
      about: dashboardOperations.show,
    },
    {
      ...remove,
      path: '/api/v1/dashboards/{id}',
      access: 'editor',
      handle: dashboards.remove,
      about: dashboardOperations.remove,
    },

    {
      ...get,
      path: tokens,
      access: 'admin',
      handle: settings.listTokens,
      about: settingsOperations.listTokens,
    },
    {
      ...json,
      path: tokens,
      access: 'admin',
      handle: settings.createToken,
      about: settingsOperations.createToken,
    },
    {
      ...get,
      path: `${tokens}/{id}/secret`,
      access: 'admin',
      handle: settings.showSecret,
      about: settingsOperations.showSecret,
    },
    {
      ...remove,
      path: `${tokens}/{id}`,
      access: 'admin',
      handle: settings.removeToken,
      about: settingsOperations.removeToken,
    },
    {
      ...get,
      path: keys,
      access: 'admin',
      handle: settings.listKeys,
      about: settingsOperations.listKeys,
    },
    {
      ...json,
      path: keys,
      access: 'admin',
      handle: settings.createKey,
      about: settingsOperations.createKey,
    },
    {
      ...remove,
      path: `${keys}/{id}`,
      access: 'admin',
      handle: settings.removeKey,
      about: settingsOperations.removeKey,
    },
    {
      ...get,
      path: '/api/v1/settings/storage',
      access: 'viewer',
      handle: settings.showStorage,
      about: settingsOperations.showStorage,
    },
    {
      ...json,
      path: '/api/v1/settings/backup',
      access: 'admin',
      handle: backup.hold,
      about: backupOperations.hold,
    },

    {
      ...json,
      path: '/api/v1/session',
      access: 'open',
      handle: session.signIn,
      about: sessionOperations.signIn,
    },
    {
      ...get,
      path: '/api/v1/session',
      access: 'viewer',
      handle: session.show,
      about: sessionOperations.show,
    },
    {
      ...remove,
      path: '/api/v1/session',
      access: 'open',
      handle: session.signOut,
      about: sessionOperations.signOut,
    },

    { ...get, path: '/health', access: 'open', handle: health.live, about: serviceOperations.live },
    {
      ...get,
      path: '/ready',
      access: 'open',
      handle: health.ready,
      about: serviceOperations.ready,
    },
    {
      ...get,
      path: '/metrics',
      access: config.metricsAccess,
      handle: health.metrics,
      about: serviceOperations.metrics,
    },
    ...pageRoutes(dependencies),
  ])
}

/** Both routes of an operation of Prometheus' API. */
export function prometheusRoutes(
  path: string,
  handle: Handler<FormRequest>,
  about: Operation,
): readonly DescribedRoute[] {
  const both = {
    path,
    access: 'viewer',
    body: 'form',
    errors: 'prometheus',
    handle,
    about,
  } as const
  return [
    { method: 'GET', ...both },
    { method: 'POST', ...both },
  ]
}
