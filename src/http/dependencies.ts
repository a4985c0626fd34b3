/**
 * What this layer needs of the rest, and nothing more: the doors through which requests leave
 * `http/`. `service.ts` hands in the real things; tests hand in stand-ins.
 */

import type { ApiKeys } from '../catalog/api-keys.ts'
import type { Dashboards } from '../catalog/dashboards.ts'
import type { IngestionTokens } from '../catalog/ingestion-tokens.ts'
import type { Config } from '../config.ts'
import type { Ingest } from '../ingest/ingest.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Store } from '../store/store.ts'

export interface CatalogDoor {
  readonly ingestionTokens: Pick<IngestionTokens, 'find' | 'create' | 'list' | 'secret' | 'delete'>
  readonly apiKeys: Pick<ApiKeys, 'find' | 'create' | 'list' | 'delete'>
  readonly dashboards: Pick<Dashboards, 'put' | 'getText' | 'list' | 'delete'>
}

/** Bodies are decoded, within their size limit, and the callee's to keep. */
export type IngestDoor = Pick<Ingest, 'one' | 'many'>

/** `select` rejects soon after its signal aborts. */
export type StoreDoor = Pick<Store, 'select' | 'histogram'>

export type MetricsDoor = Pick<Metrics, 'contentType' | 'text'>

export interface LoggerDoor {
  error(fields: object, text: string): void
}

export interface HttpDependencies {
  readonly config: Pick<
    Config,
    | 'eventBytesMax'
    | 'batchBytesMax'
    | 'pendingBytesMax'
    | 'queryTimeoutMs'
    | 'concurrentQueriesMax'
    | 'metricsAccess'
  >
  readonly catalog: CatalogDoor
  readonly ingest: IngestDoor
  readonly store: StoreDoor
  readonly metrics: MetricsDoor
  readonly logger: LoggerDoor
  /** Whether events are taken and queries answered: recovery is over and writing works. */
  isReady(): boolean
}
