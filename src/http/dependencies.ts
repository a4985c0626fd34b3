/**
 * What this layer needs of the rest, and nothing more: the doors through which requests leave
 * `http/`. `service.ts` hands in the real things; tests hand in stand-ins.
 */

import type { Alerts } from '../alerts/alerts.ts'
import type { ApiKey, ApiKeys } from '../catalog/api-keys.ts'
import type { DailyCopies } from '../catalog/copies/daily-copies.ts'
import type { Dashboards } from '../catalog/dashboards.ts'
import type { IngestionTokens } from '../catalog/ingestion-tokens.ts'
import type { AskedFeed, SettingsFeed } from '../catalog/primary/feed.ts'
import type { Primary } from '../catalog/primary/primary.ts'
import type { Retention } from '../catalog/retention.ts'
import type { SavedQueries } from '../catalog/saved-queries.ts'
import type { Sessions } from '../catalog/sessions.ts'
import type { Config } from '../config/config.ts'
import type { Health } from '../health.ts'
import type { Ingest } from '../ingest/ingest.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { DiskUsage } from '../store/disk-usage.ts'
import type { Store } from '../store/store.ts'
import type { Snapshots } from '../store/view/snapshots.ts'
import type { Pages } from './pages.ts'

export interface CatalogDoor {
  readonly ingestionTokens: Pick<IngestionTokens, 'find' | 'create' | 'list' | 'secret' | 'delete'>
  readonly apiKeys: Pick<ApiKeys, 'find' | 'create' | 'list' | 'delete'>
  readonly sessions: Pick<Sessions, 'create' | 'find' | 'end'>
  readonly dashboards: Pick<Dashboards, 'put' | 'getStored' | 'list' | 'delete'>
  readonly savedQueries: Pick<SavedQueries, 'save' | 'list' | 'delete'>
  /** Of a primary that has a key for front ends. */
  readonly frontEnds?: FrontEndsDoor
}

/** Who asks as a front end. */
export interface FrontEndsDoor {
  isKey(secret: string): boolean
  /** The live API key of this id, whose holder has asked it. */
  callerOf(id: string): ApiKey | undefined
}

/** Of a primary: for the other front ends. */
export interface FeedDoor {
  since(asked: AskedFeed, waitMs: number): Promise<SettingsFeed>
}

/** Of a front end that has a primary. */
export interface PrimaryDoor extends Pick<Primary, 'passOn'> {
  /** Resolves when what the primary has now is here, or soon. */
  catchUp(): Promise<void>
}

/** Bodies are decoded, within their size limit, and the callee's to keep. */
export type IngestDoor = Pick<Ingest, 'one' | 'batch' | 'checkRoom' | 'noteRejected'>

/** All reject soon after their signal aborts. */
export type StoreDoor = Pick<
  Store,
  | 'select'
  | 'series'
  | 'histogram'
  | 'facets'
  | 'patterns'
  | 'changes'
  | 'fields'
  | 'values'
  | 'context'
  | 'trace'
  | 'tail'
  | 'exportText'
  | 'stats'
>

export type AlertsDoor = Pick<
  Alerts,
  | 'rules'
  | 'rule'
  | 'saveRule'
  | 'deleteRule'
  | 'states'
  | 'summary'
  | 'history'
  | 'preview'
  | 'silences'
  | 'saveSilence'
  | 'endSilence'
  | 'receivers'
  | 'saveReceiver'
  | 'deleteReceiver'
  | 'testReceiver'
>

export type MetricsDoor = Pick<Metrics, 'contentType' | 'text' | 'totals' | 'noteWrongCredential'>

export type PagesDoor = Pick<Pages, 'html' | 'asset'>

export interface LoggerDoor {
  error(fields: object, text: string): void
  warn(fields: object, text: string): void
}

export interface HttpDependencies {
  readonly config: Pick<
    Config,
    | 'eventBytesMax'
    | 'batchBytesMax'
    | 'pendingBytesMax'
    | 'queryTimeoutMs'
    | 'concurrentQueriesMax'
    | 'queryQueueTimeoutMs'
    | 'metricsAccess'
    | 'trustedProxies'
    | 'corsOrigins'
    | 'publicUrl'
    | 'tlsCert'
    | 'tlsKey'
  >
  readonly catalog: CatalogDoor
  readonly feed?: FeedDoor
  readonly primary?: PrimaryDoor
  readonly ingest: IngestDoor
  readonly store: StoreDoor
  readonly alerts: AlertsDoor
  /** The state of the disk and what is in quarantine. */
  diskUsage(): Promise<DiskUsage>
  readonly deletion: Pick<Store, 'wouldDelete' | 'retentionChanged'>
  readonly retention: Pick<Retention, 'shown' | 'bounds' | 'check' | 'change'>
  readonly snapshots: Pick<Snapshots, 'take' | 'lastAt'>
  readonly copies: Pick<DailyCopies, 'newestAt'>
  readonly metrics: MetricsDoor
  readonly pages: PagesDoor
  readonly logger: LoggerDoor
  readonly health: Pick<Health, 'reasons'>
}
