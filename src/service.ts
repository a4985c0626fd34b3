/**
 * The composition root: opens everything in order, and stops it in reverse. Nothing else makes its
 * own collaborators.
 */
import fs from 'node:fs'
import type { Logger } from 'pino'
import { type Catalog, openCatalog } from './catalog/catalog.ts'
import { DailyCopies } from './catalog/daily-copies.ts'
import type { Config } from './config/config.ts'
import { version } from './config/version.ts'
import { startDemo } from './demo/demo.ts'
import { Health } from './health.ts'
import { Pages } from './http/pages.ts'
import { createHttpServer } from './http/server.ts'
import type { AnswerCount } from './http/traffic.ts'
import { Ingest } from './ingest/ingest.ts'
import { createLogger } from './observe/logger.ts'
import { Metrics } from './observe/metrics.ts'
import { ownAddress } from './observe/own-sender.ts'
import { SelfLog } from './observe/self-log.ts'
import { diskFigures } from './store/disk-figures.ts'
import { openLocalStore } from './store/local-store.ts'
import { lockWhenFree } from './store/lock-wait.ts'
import { noticeRestored } from './store/restored.ts'
import { refuseNewerSegments } from './store/view/segments.ts'
import { Snapshots } from './store/view/snapshots.ts'
import { boundGarbage } from './threads/options.ts'

export interface Service {
  /** Where it listens, such as `http://127.0.0.1:7007`. */
  readonly url: string
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
    const catalog: Catalog = await openCatalog({
      dataDir: config.dataDir,
      now,
      onFatal,
      health,
      say: text => logger.warn(text),
    })
    opened.push(() => catalog.close())
    const adminKey = await catalog.apiKeys.ensureAdmin(config.adminKey)
    await ensureStarterDashboards(catalog, logger)
    const copies = new DailyCopies({ dataDir: config.dataDir, catalog, now, health })
    opened.push(() => copies.close())
    const store = await openLocalStore({ config, logger, metrics, health, now, onFatal })
    opened.push(() => store.close())
    metrics.watchStore(store)
    const snapshots = new Snapshots({ dataDir: config.dataDir, store, catalog })
    const tokens = catalog.ingestionTokens
    const ingest = new Ingest({ config, store, tokens, metrics, now })
    opened.push(() => ingest.close())
    const server = await createHttpServer({
      host: config.host,
      port: config.port,
      config,
      catalog,
      ingest,
      store,
      diskFigures: () => diskFigures(config.dataDir),
      snapshots,
      metrics,
      pages: new Pages(),
      logger,
      health,
    })
    opened.push(async () => {
      health.raise('stopping', 'the service is stopping')
      const isIdle = await server.stop(stopLimitMs)
      if (!isIdle) logger.warn(`requests were still under way after ${stopLimitMs} ms`)
    })
    const url = urlOf(config, server.port)
    store.warmUp() // Whoever asks first does not wait for it.
    const own = { ...ownSender(config, url), tokens, logger, now }
    if (selfLog !== undefined) {
      const sample = async () => {
        const totals = await metrics.totals()
        return { totals, store: store.stats(), ...countAnswers(server.answers()) }
      }
      await selfLog.start({ ...own, version: version(), sample })
      opened.push(() => selfLog.stop())
    }
    if (config.demo) {
      const demo = await startDemo({ ...own, store })
      opened.push(() => demo.stop())
    }
    return {
      url,
      newAdminKey: config.adminKey === undefined && adminKey?.isNew ? adminKey.key : undefined,
      failed: failed.promise,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Makes the directory this process's own; what it gives lets go of it. */
function holdDirectory(dataDir: string, logger: Logger): Promise<() => void> {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return lockWhenFree(dataDir, {
    endingMs: endingPatienceMs,
    noticeMs: noticePatienceMs,
    onWait: pid => logger.warn(`process ${pid} has the data directory and is ending: waiting`),
  })
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
