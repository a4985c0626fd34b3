/**
 * The composition root: opens everything in order, and stops it in reverse. Nothing else makes its
 * own collaborators.
 */
import fs from 'node:fs'
import type { Logger } from 'pino'
import { Alerts, type AlertsOptions } from './alerts/alerts.ts'
import type { Catalog } from './catalog/catalog.ts'
import { DailyCopies } from './catalog/copies/daily-copies.ts'
import { Follower } from './catalog/primary/follower.ts'
import { FrontEndKey } from './catalog/primary/front-end-key.ts'
import { type OpenedSettings, openSettings } from './catalog/primary/open-settings.ts'
import { Retention } from './catalog/retention.ts'
import type { Config } from './config/config.ts'
import { version } from './config/version.ts'
import { startDemo } from './demo/demo.ts'
import { Health } from './health.ts'
import type { HttpDependencies } from './http/dependencies.ts'
import { Pages } from './http/pages.ts'
import { createHttpServer, type HttpServer } from './http/server.ts'
import type { AnswerCount } from './http/traffic.ts'
import { type Asking, warmUpHttp } from './http/warm-up.ts'
import { askAgainAndAgain, askAsPeople } from './http/warm-up-questions.ts'
import { Ingest } from './ingest/ingest.ts'
import { openListeners } from './listen/listeners.ts'
import { heapReserveBytes, machineMemoryBytes } from './memory-policy.js'
import { createLogger } from './observe/logger.ts'
import { Metrics } from './observe/metrics.ts'
import { ownAddress } from './observe/own-sender.ts'
import { QueryCounts } from './observe/query-counts.ts'
import { SelfLog } from './observe/self-log.ts'
import type { ClickHouseStore } from './store/clickhouse/clickhouse-store.ts'
import { refuseMove } from './store/clickhouse/move/move-file.ts'
import { refuseSentDirectory } from './store/clickhouse/position-file.ts'
import { diskUsage } from './store/disk-usage.ts'
import { LocalStore, openLocalStore, type StoreOptions } from './store/local-store.ts'
import { lockWhenFree } from './store/lock-wait.ts'
import type { RetentionBounds } from './store/maintain/retention.ts'
import { noticeRestored } from './store/restored.ts'
import type { Store } from './store/store.ts'
import { refuseNewerSegments } from './store/view/segments.ts'
import { Snapshots } from './store/view/snapshots.ts'
import { collectBesideWork } from './threads/garbage.ts'
import { reserveHeap } from './threads/heap-reserve.ts'
import { boundGarbage } from './threads/options.ts'
import { othersFirst } from './threads/others-first.ts'
import { SpareTime } from './threads/spare-time.ts'

type HttpPrimary = NonNullable<HttpDependencies['primary']>

export interface Service {
  /** Where it listens, such as `http://127.0.0.1:7007`. */
  readonly url: string
  /** What else listens, such as `syslog tcp://0.0.0.0:5514`. */
  readonly listeners: readonly string[]
  /** The admin key that this start made, to be shown once; undefined when there was one. */
  readonly newAdminKey: string | undefined
  /** Resolves with the cause when the disk failed and the service must end. */
  readonly failed: Promise<Error>
  /** Refuses new work, finishes and answers what is under way, makes it durable, lets go. */
  stop(): Promise<void>
}

/** Time that requests under way have to end when the service stops. */
const stopLimitMs = 10_000

/** How long a start waits for a process that has the directory and is ending, ms. */
const endingPatienceMs = 20_000
/** How long it waits for one that does not say so: it may have been told to end this very moment. */
const noticePatienceMs = 1_000

/** Starts the service. Throws with a message for people when it cannot; nothing is left open then. */
export async function startService(config: Config): Promise<Service> {
  boundGarbage()
  const selfLog = config.selfLog || config.demo ? new SelfLog() : undefined
  const logger = createLogger(config.logLevel, selfLog && (line => selfLog.take(line)))
  const metrics = new Metrics()
  const health = new Health(config.dataDir)
  metrics.watchHealth(health)
  const now = Date.now
  const failed = Promise.withResolvers<Error>()
  const opened: (() => Promise<void> | void)[] = []
  const stop = async () => {
    for (let close = opened.pop(); close !== undefined; close = opened.pop()) await close()
  }
  try {
    opened.push(await holdDirectory(config.dataDir, logger))
    refuseNewerSegments(config.dataDir)
    noticeRestored(config.dataDir, logger)
    const onFatal = failed.resolve
    const say = (text: string) => logger.warn(text)
    const { dataDir } = config
    const told = { now, onFatal, health, say }
    const settings = await openSettings({ dataDir, ...told, primary: primaryOf(config) })
    const { catalog } = settings
    opened.push(() => catalog.close())
    const newAdminKey = await ensureOwn(settings, config, logger)
    const copies = new DailyCopies({ dataDir, catalog, now, health })
    opened.push(() => copies.close())
    const retention = new Retention(catalog.shelf, config)
    const ground = { config, logger, metrics, health, now, onFatal }
    const counting = { metrics: metrics.queries, ownMetrics: new QueryCounts() }
    const bounds = boundsOf(config, retention)
    const store = await openStore({ ...ground, ...counting, retention: bounds })
    opened.push(() => store.close())
    metrics.watchStore(store)
    const alerts = openAlerts({ ...ground, shelf: catalog.shelf, store }, metrics)
    opened.push(() => alerts.close())
    const follower = follow(settings, { ...ground, retention, store, alerts })
    if (follower) opened.push(() => follower.close())
    const tokens = catalog.ingestionTokens
    const ingest = new Ingest({ config, store, tokens, metrics, now })
    opened.push(() => ingest.close())
    const behind: HttpDependencies = {
      config,
      ...doorsOf(settings, config, follower),
      ingest,
      store,
      alerts,
      diskUsage: () => diskUsage(dataDir),
      deletion: store,
      retention,
      copies,
      snapshots: new Snapshots({ dataDir, store, catalog }),
      metrics,
      pages: new Pages(),
      logger,
      health,
    }
    const server = await createHttpServer({ ...behind, host: config.host, port: config.port })
    // Whoever asks first does not wait for it.
    if (config.warmUp === 'on') opened.push(warmUp(behind, { store, logger, server }))
    opened.push(() => stopServer(server, health, logger))
    const listeners = await openListeners({ config, tokens, ingest, metrics, logger, health, now })
    opened.push(() => listeners.close())
    const url = urlOf(config, server.port)
    if (follower) alerts.showAt(url)
    else alerts.start(url)
    const own = { ...ownSender(config, url), tokens, logger, now }
    const sample = () => sampleOf(metrics, store, server.answers())
    if (selfLog) opened.push(await tellItself(selfLog, { ...own, version: version(), sample }))
    if (config.demo) opened.push(await demoOf({ ...own, store }))
    return { url, listeners: listeners.names, newAdminKey, failed: failed.promise, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function primaryOf({ primary: url, primaryKey: key }: Config) {
  return url === undefined || key === undefined ? undefined : { url, key }
}

/** What a service makes for itself, unless its settings are a copy. Returns a key that nobody knows yet. */
async function ensureOwn(
  { catalog, copied }: OpenedSettings,
  { adminKey }: Config,
  logger: Logger,
): Promise<string | undefined> {
  if (copied !== undefined) return undefined
  const ensured = await catalog.apiKeys.ensureAdmin(adminKey)
  await ensureStarterDashboards(catalog, logger)
  return adminKey === undefined && ensured?.isNew ? ensured.key : undefined
}

/** Of tables that all front ends share the primary drops days, by bounds of which it knows all. */
function boundsOf({ primary, store }: Config, retention: Retention): () => RetentionBounds {
  if (primary === undefined || store === 'local') return () => retention.bounds()
  return () => ({ ageMsMax: undefined, bytesMax: undefined })
}

interface Followed {
  readonly config: Config
  readonly metrics: Metrics
  readonly health: Health
  readonly logger: Logger
  readonly now: () => number
  readonly retention: Retention
  readonly store: Pick<Store, 'retentionChanged'>
  readonly alerts: Alerts
}

/** Keeps the copy of a primary's settings what they are; undefined where they are no copy. */
function follow({ catalog, copied }: OpenedSettings, followed: Followed): Follower | undefined {
  if (copied === undefined) return undefined
  const { config, metrics, retention, store, alerts } = followed
  const onTaken = (collections: ReadonlySet<string>) => {
    if (collections.has('retention')) {
      retention.reload()
      store.retentionChanged()
    }
    if ([...collections].some(name => name.startsWith('alert-'))) alerts.reload()
  }
  const { dataDir } = config
  const follower = new Follower({ ...followed, ...copied, catalog, dataDir, onTaken })
  metrics.watchCopy(follower)
  return follower
}

/** What `http/` needs of the settings: of a copy the way to its primary, of a primary its feed. */
function doorsOf(
  { catalog, copied }: OpenedSettings,
  { primaryKey }: Config,
  follower: Follower | undefined,
): Pick<HttpDependencies, 'catalog' | 'feed' | 'primary'> {
  if (copied !== undefined && follower !== undefined) {
    const { primary } = copied
    const passOn: HttpPrimary['passOn'] = request => primary.passOn(request)
    return { catalog, primary: { passOn, catchUp: () => follower.catchUp() } }
  }
  if (primaryKey === undefined) return { catalog }
  const key = new FrontEndKey(primaryKey)
  const feed = catalog.feed()
  return {
    catalog: {
      ...catalog,
      frontEnds: {
        isKey: secret => key.matches(secret),
        callerOf: id => catalog.apiKeys.get(id),
      },
    },
    feed: { since: (asked, waitMs) => feed.since(asked, waitMs, primaryKey) },
  }
}

/** What is not used is not loaded. */
async function openStore(options: StoreOptions): Promise<LocalStore | ClickHouseStore> {
  const { store, dataDir } = options.config
  refuseMove(dataDir, { kept: store === 'clickhouse' })
  if (store === 'local') {
    refuseSentDirectory(dataDir)
    return openLocalStore(options)
  }
  const { openClickHouseStore } = await import('./store/clickhouse/clickhouse-store.ts')
  return openClickHouseStore(options)
}

interface Warming {
  readonly store: LocalStore | ClickHouseStore
  readonly logger: Logger
  readonly server: Pick<HttpServer, 'awaitedCount' | 'begunCount'>
}

/**
 * Asks what clients ask first, of all that is on the way of an answer, and gives way to them: over HTTP, and
 * meanwhile the store by itself, whose threads mostly wait for the former. Returns what ends the former.
 */
function warmUp(behind: HttpDependencies, { store, logger, server }: Warming): () => Promise<void> {
  // Others would be kept busy for it.
  if (!(store instanceof LocalStore)) return async () => {}
  const ending = new AbortController()
  const { signal } = ending
  const isStopping = () => signal.aborted
  const turns = { isWanted: () => store.isAsked, signal }
  const own = { ...behind, store: store.own }
  const ask = (asking: Asking, isWanted = turns.isWanted): Promise<void> =>
    warmUpHttp(own, { isWanted, signal }, asking).catch(error => {
      if (!signal.aborted) logger.warn({ err: error }, 'warming up over HTTP failed')
    })
  let asked = ask(askAsPeople)
  const askItself = async () => {
    await Promise.all([asked, store.warmUp()])
    await othersFirst(turns)
    await collectBesideWork(isStopping)
    signal.throwIfAborted()
    await reserveHeap(heapReserveBytes(machineMemoryBytes), turns)
    logger.debug('warmed up')
    // It helps the hundredth question more than the first: there is no hurry, and senders go first, too.
    const spareTime = new SpareTime({ requests: server })
    asked = ask(askAgainAndAgain, () => store.isAsked || spareTime.isScarce())
    await asked
    await othersFirst(turns)
    await collectBesideWork(isStopping)
    logger.debug('asked itself enough')
  }
  // The store's own questions end with the store, for which nobody waits here.
  void askItself().catch(error => {
    if (!signal.aborted) logger.warn({ err: error }, 'warming up failed')
  })
  return () => {
    ending.abort()
    return asked
  }
}

async function stopServer(server: HttpServer, health: Health, logger: Logger): Promise<void> {
  health.raise('stopping', 'the service is stopping')
  const isIdle = await server.stop(stopLimitMs)
  if (!isIdle) logger.warn(`requests were still under way after ${stopLimitMs} ms`)
}

/** Makes the directory this process's own; the function it returns releases it. */
function holdDirectory(dataDir: string, logger: Logger): Promise<() => void> {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return lockWhenFree(dataDir, {
    endingMs: endingPatienceMs,
    noticeMs: noticePatienceMs,
    onWait: pid => logger.warn(`process ${pid} has the data directory and is ending: waiting`),
  })
}

/** Starts the demo; the function it returns stops it. */
async function demoOf(options: Parameters<typeof startDemo>[0]): Promise<() => Promise<void>> {
  const demo = await startDemo(options)
  return () => demo.stop()
}

/** Starts to send its own log to itself; the function it returns stops it. */
async function tellItself(
  selfLog: SelfLog,
  options: Parameters<SelfLog['start']>[0],
): Promise<() => Promise<void>> {
  await selfLog.start(options)
  return () => selfLog.stop()
}

function openAlerts(options: Omit<AlertsOptions, 'metrics'>, { alerts }: Metrics): Alerts {
  return new Alerts({ ...options, metrics: alerts })
}

/** A service without them is a service all the same. */
async function ensureStarterDashboards(catalog: Catalog, logger: Logger): Promise<void> {
  try {
    await catalog.ensureStarterDashboards()
  } catch (error) {
    logger.warn(
      { err: error },
      'the first dashboards could not be made; the next start tries again',
    )
  }
}

/** Where the service sends events to itself, and the certificate that it is known by there. */
function ownSender({ tlsCert }: Config, url: string) {
  const certificate = tlsCert === undefined ? undefined : fs.readFileSync(tlsCert, 'utf8')
  return { url: ownAddress(url), certificate }
}

async function sampleOf(
  metrics: Metrics,
  store: Pick<Store, 'stats'>,
  answers: Iterable<AnswerCount>,
) {
  return { totals: await metrics.totals(), store: store.stats(), ...countAnswers(answers) }
}

function countAnswers(counts: Iterable<AnswerCount>) {
  let answers = 0
  let serverErrors = 0
  for (const { status, count } of counts) {
    answers += count
    if (status >= 500) serverErrors += count
  }
  return { answers, serverErrors }
}

function urlOf({ host, tlsCert }: Config, port: number): string {
  const scheme = tlsCert === undefined ? 'http' : 'https'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
