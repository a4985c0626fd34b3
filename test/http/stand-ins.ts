/** Stand-ins for everything behind `http/`, and a server in this process that uses them. */

import type { Test } from 'tap'
import type { ReceiverShown } from '../../src/alerts/receivers/receiver.ts'
import type { StoredRule } from '../../src/alerts/rule.ts'
import type { StoredSilence } from '../../src/alerts/silences.ts'
import type { ApiKey } from '../../src/catalog/api-keys.ts'
import type { IngestionToken } from '../../src/catalog/ingestion-tokens.ts'
import { type Role, roles } from '../../src/catalog/roles.ts'
import { Health } from '../../src/health.ts'
import { AuthFailures } from '../../src/http/access/auth-failures.ts'
import type { AlertsDoor, CatalogDoor, HttpDependencies } from '../../src/http/dependencies.ts'
import { createHttpServer, type HttpServer } from '../../src/http/server.ts'
import { opened } from '../../src/ingest/sealed-body.ts'
import { type ProblemCode, ProblemError } from '../../src/problems.ts'
import type { SelectRequest, SelectResult, StoreStats } from '../../src/store/store.ts'
import { conforms, endChecks } from './conforms.ts'
import { describe } from './described.ts'

export const ingestionSecret = 'ing_live'
export const ingestionToken: IngestionToken = {
  id: 'token-1',
  stream: { service: 'shop', environment: 'test' },
}

/** The API key of each role. */
export const keyOf = { viewer: 'key_viewer', editor: 'key_editor', admin: 'key_admin' } as const

const apiKeys = new Map<string, ApiKey>(
  roles.map((role: Role) => [
    keyOf[role],
    { id: role, name: role, role, createdAt: 1, expiresAt: null },
  ]),
)

export const catalog: CatalogDoor = {
  ingestionTokens: {
    find: secret => (secret === ingestionSecret ? ingestionToken : undefined),
    create: async () => ({
      id: 'token-2',
      token: 'ing_new',
      serviceName: 'a',
      environment: 'b',
      parse: null,
      browser: false,
      createdAt: 1,
    }),
    list: () => [],
    secret: id => known(id, 'token_unknown', ingestionSecret),
    delete: async id => known(id, 'token_unknown', undefined),
  },
  apiKeys: {
    find: key => apiKeys.get(key),
    create: async () => ({ ...apiKeys.get(keyOf.viewer)!, key: 'key_new' }),
    list: () => [...apiKeys.values()],
    delete: async id => known(id, 'api_key_unknown', undefined),
  },
  sessions: {
    create: async () => ({ secret: 'session', apiKey: apiKeys.get(keyOf.viewer)!, expiresAt: 2 }),
    find: () => undefined,
    end: async () => {},
  },
  dashboards: {
    put: async () => ({ id: 'made', version: 'v2' }),
    getStored: id =>
      known(id, 'dashboard_unknown', { text: '{"n":12345678901234567890}', version: 'v1' }),
    list: () => [],
    delete: async id => known(id, 'dashboard_unknown', undefined),
  },
  savedQueries: {
    save: async () => ({ id: 'made', name: 'n', query: 'logs', columns: [], savedAt: 1 }),
    list: () => [],
    delete: async id => known(id, 'saved_query_unknown', undefined),
  },
}

const rule: StoredRule = {
  id: 'known',
  name: 'n',
  query: 'logs',
  condition: { op: '>', threshold: 1 },
  windowMs: 300_000,
  everyMs: 60_000,
  forMs: 0,
  delayMs: 0,
  labels: {},
  message: '',
  receivers: [],
  enabled: true,
  noData: 'ok',
  createdAt: 1,
  updatedAt: 1,
}

const silence: StoredSilence = {
  id: 'known',
  matchers: [{ label: 'a', operator: '=', value: 'b' }],
  until: 2,
  comment: '',
  by: 'admin',
  createdAt: 1,
}

const receiver: ReceiverShown = {
  id: 'known',
  name: 'n',
  kind: 'webhook',
  createdAt: 1,
  target: 'https://example.com/',
  reach: { url: 'https://example.com/' },
  secrets: [],
}

export const alertSummary = {
  rules: 31,
  failing: 32,
  firing: 33,
  pending: 34,
  waiting: 35,
  receivers: 36,
  evaluatedAt: 37,
}

const alerts: AlertsDoor = {
  rules: () => [rule],
  rule: id => known(id, 'alert_rule_unknown', rule),
  saveRule: async () => rule,
  deleteRule: async id => known(id, 'alert_rule_unknown', undefined),
  states: () => [],
  summary: () => alertSummary,
  history: () => [],
  preview: async () => ({
    fired: 0,
    firings: [],
    startTime: 1,
    endTime: 1,
    everyMs: 1,
    series: [],
    seriesCount: 0,
  }),
  silences: () => [silence],
  saveSilence: async () => silence,
  endSilence: async id => known(id, 'alert_silence_unknown', undefined),
  receivers: () => [receiver],
  saveReceiver: async () => receiver,
  deleteReceiver: async id => known(id, 'alert_receiver_unknown', undefined),
  testReceiver: async id => known(id, 'alert_receiver_unknown', { ok: false, error: 'none' }),
}

function known<T>(id: string, code: ProblemCode, value: T): T {
  if (id !== 'known') {
    throw new ProblemError(code, 'nothing has this id')
  }
  return value
}

export const nothingSelected: SelectResult = {
  count: 0,
  records: [],
  nextCursor: undefined,
  groups: undefined,
  stats: {
    entries: 3,
    entriesPruned: 2,
    sourcesFromIndex: 0,
    framesScanned: 1,
    blocksScanned: 0,
    blocksPrunedByFilter: 0,
    blocksPrunedByTemplate: 0,
    segments: 0,
    blocks: 0,
    blocksPrunedByTime: 0,
    recordsScanned: 9,
    bytesScanned: 999,
    damagedFrames: 0,
    damagedBlocks: 0,
    elapsedMs: 0.5,
  },
}

/** Every figure another, so that none can stand for another. */
export const storeStats: StoreStats = {
  journalRecords: 1,
  journalFiles: 2,
  journalBytes: 3,
  segmentRecords: 4,
  segmentFiles: 5,
  segmentBytes: 6,
  segmentBlocks: 7,
  pendingBytes: 8,
  commitCount: 9,
  lastCommitMs: 10.5,
  queuedScans: 11,
  unsealedFiles: 12,
  sealedRecords: 13,
  sealMs: 14,
  compactions: 15,
  compactionMs: 16,
  deletedSegments: 17,
  scrubbedBytes: 0,
  scrubPasses: 0,
  scrubPassMs: 0,
  scrubPassAt: 0,
  findings: { index: 0, block: 0, footer: 0, frame: 0, file: 0 },
  damagedBlocks: 0,
  tailingClients: 18,
  tailDroppedRecords: 19,
}

export const config = {
  eventBytesMax: 1_000,
  batchBytesMax: 4 * 1024 * 1024,
  pendingBytesMax: 64 * 1024 * 1024,
  queryTimeoutMs: 20_000,
  concurrentQueriesMax: 2,
  queryQueueTimeoutMs: 10_000,
  metricsAccess: 'open',
  trustedProxies: undefined,
  corsOrigins: undefined,
  publicUrl: undefined,
  tlsCert: undefined,
  tlsKey: undefined,
} as const

export interface Started extends HttpServer {
  readonly url: string
  /** Events and bodies that reached `ingest`. */
  readonly ingested: Buffer[]
  readonly selections: SelectRequest[]
  /** What facets, fields, values and context were asked for. */
  readonly explored: object[]
  readonly logged: object[]
}

/** All that a server needs; what reaches it is kept. */
export function standIns() {
  const ingested: Buffer[] = []
  const selections: SelectRequest[] = []
  const explored: object[] = []
  const logged: object[] = []
  const dependencies: HttpDependencies = {
    config,
    catalog,
    ingest: {
      checkRoom() {},
      noteRejected() {},
      async one(body) {
        ingested.push(Buffer.from(body))
      },
      async batch(body) {
        ingested.push(Buffer.from(opened(body)))
        return { accepted: 1, rejected: 0, errors: [] }
      },
    },
    store: {
      async select(selection) {
        selections.push(selection)
        return nothingSelected
      },
      async histogram({ bucketMs }) {
        return { bucketMs, buckets: [], stats: nothingSelected.stats }
      },
      async series() {
        return { series: [], skipped: 0, stats: nothingSelected.stats }
      },
      async facets(request) {
        explored.push(request)
        return { facets: [], stats: nothingSelected.stats }
      },
      async fields(request) {
        explored.push(request)
        return { fields: [], stats: nothingSelected.stats }
      },
      async values(request) {
        explored.push(request)
        return { values: [], stats: nothingSelected.stats }
      },
      async patterns(request) {
        explored.push(request)
        const { bucketMs } = request
        return {
          ...{ count: 0, patternCount: 0, bucketMs, firstBucket: 0, patterns: [] },
          stats: nothingSelected.stats,
        }
      },
      async changes(request) {
        explored.push(request)
        return {
          ...{ count: 0, countBefore: 0, compareWith: [], bucketMs: 1, firstBucket: 0 },
          ...{ patterns: [], values: [], fieldsLeftOut: [] },
          stats: nothingSelected.stats,
        }
      },
      async context(request) {
        explored.push(request)
        const attributes = {}
        const record = { id: request.id, timestamp: 1, log_level: 'info', message: '', attributes }
        return { before: [], record, after: [], stats: nothingSelected.stats }
      },
      async trace(request) {
        explored.push(request)
        const traceId = 'traceId' in request.of ? request.of.traceId : 'of-a-record'
        return { traceId, count: 0, records: [], services: [], stats: nothingSelected.stats }
      },
      async tail() {
        return {
          next: async () => ({ kind: 'ended', reason: 'a stand-in has no records' }),
          position: '~0',
          close() {},
        }
      },
      async *exportText() {
        yield Buffer.from('')
      },
      stats: () => storeStats,
    },
    alerts,
    diskUsage: async () => ({
      freeBytes: 24,
      totalBytes: 25,
      quarantine: { files: 26, bytes: 27 },
    }),
    deletion: {
      wouldDelete: async () => ({ segments: 0, records: 0, bytes: 0, times: undefined }),
      retentionChanged: () => {},
    },
    retention: {
      shown: () => ({ ageMs: 86_400_000, bytes: null, fixed: ['ageMs'] }),
      bounds: () => ({ ageMsMax: 86_400_000, bytesMax: undefined }),
      check: () => ({ ageMsMax: undefined, bytesMax: undefined }),
      change: async () => {},
    },
    copies: { newestAt: () => 28 },
    snapshots: {
      lastAt: undefined,
      // Whoever got one would be told so until he goes.
      async take() {
        throw new ProblemError('backup_under_way', 'a stand-in has no snapshots')
      },
    },
    metrics: {
      contentType: 'text/plain; version=0.0.4',
      text: async () => 'up 1\n',
      totals: async () => ({
        eventsAccepted: 20,
        eventsRejected: 21,
        ingestedBytes: 22,
        queriesFailed: 23,
        queryBuckets: [],
      }),
      noteWrongCredential: () => {},
    },
    pages: {
      html: () => ({ status: 200, contentType: 'text/html', body: '<p>' }),
      asset: async () => ({ status: 200, contentType: 'text/css', body: 'p {}' }),
    },
    logger: { error: fields => logged.push(fields), warn: fields => logged.push(fields) },
    health: new Health(),
  }
  return { dependencies, ingested, selections, explored, logged }
}

/** What a test puts in the place of a stand-in; of the store, single operations. */
type Replaced = Partial<Omit<HttpDependencies, 'store' | 'ingest' | 'alerts'>> & {
  readonly alerts?: Partial<AlertsDoor>
  readonly ingest?: Partial<HttpDependencies['ingest']>
  readonly store?: Partial<HttpDependencies['store']>
  readonly authFailures?: AuthFailures
  readonly unreadAnswerBytesMax?: number
}

/** For tests that try more wrong credentials than anybody may. */
const neverTooMany = () =>
  new AuthFailures({ failuresMax: Infinity, windowMs: 1, addressesMax: 1, now: () => 0 })

/** A server on a free port, closed when the test ends. `replaced` stands in for the stand-ins. */
export async function startServer(t: Test, replaced: Replaced = {}): Promise<Started> {
  const { dependencies, ...kept } = standIns()
  const server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    authFailures: neverTooMany(),
    ...dependencies,
    ...replaced,
    store: { ...dependencies.store, ...replaced.store },
    alerts: { ...dependencies.alerts, ...replaced.alerts },
    ingest: { ...dependencies.ingest, ...replaced.ingest },
  })
  const url = `http://127.0.0.1:${server.port}`
  conforms(url, describe(server.routes))
  t.teardown(() => {
    endChecks(url)
    return server.stop(0)
  })
  return Object.assign(server, { url, ...kept })
}
