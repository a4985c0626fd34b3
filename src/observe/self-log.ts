/**
 * `--self-log`: the service ingests its own log and metrics, as service `logstrata` in environment
 * `self`: each line that it logs from `info` up, and every 15 seconds a record of metrics.
 *
 * It must not feed itself. So lines about the ingest operations are left out, whoever sent the events;
 * of all others this many are taken in each interval and no more, whatever happens; and what cannot be
 * sent is waited with, not logged. Metrics come by the clock alone. Stack traces stay on standard
 * error: whoever may query logs need not see the inside of the service.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { IngestionTokens } from '../catalog/ingestion-tokens.ts'
import { selfStream } from '../catalog/self-stream.ts'
import { ownToken, sendOwnEvents } from './own-sender.ts'
import { metricsBetween, type SelfMetrics, type SelfSample } from './self-metrics.ts'

export interface SelfLogOptions {
  /** Where the service reaches itself. */
  readonly url: string
  readonly certificate?: string | undefined
  readonly tokens: Pick<IngestionTokens, 'list' | 'create' | 'secret'>
  readonly logger: Logger
  readonly version: string
  readonly now: () => number
  /** The rest of a sample, which only the composition root can see. */
  readonly sample: () => Promise<ServiceSample>
}

/** A sample without what this module measures by itself. */
export type ServiceSample = Pick<SelfSample, 'totals' | 'store' | 'answers' | 'serverErrors'>

/** Often enough for a chart of minutes; 5,760 small records a day. */
const metricsIntervalMs = 15_000
/** Lines wait so long for others to go with them. */
const tickMs = 1_000
/** Lines taken per interval of metrics; the rest is counted in `lines_left_out`. */
export const linesPerIntervalMax = 50
const infoLevel = 30
const timeField = 'time'

export class SelfLog {
  #lines: string[] = []
  #taken = 0
  #leftOut = 0
  readonly #stopping = new AbortController()
  #sent: Promise<void> | undefined

  /** A line of the logger: JSON as pino writes it. May be called before `start`. Never throws. */
  take(line: string): void {
    const event = eventOf(line)
    if (event === undefined || this.#stopping.signal.aborted) return
    if (this.#taken >= linesPerIntervalMax) {
      this.#leftOut += 1
      return
    }
    this.#taken += 1
    this.#lines.push(event)
  }

  /** Makes the token when it is missing, and begins to send. */
  async start(options: SelfLogOptions): Promise<void> {
    const token = await ownToken(options.tokens, selfStream)
    this.#sent = this.#run(options, token).catch(error => {
      if (this.#stopping.signal.aborted) return
      this.#stopping.abort() // Before the line below, which nobody could send.
      options.logger.warn({ err: error }, 'the service’s own log is not ingested any more')
    })
  }

  /** Resolves when nothing is sent any more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#sent
  }

  async #run(
    { url, certificate, version, now, sample }: SelfLogOptions,
    token: string,
  ): Promise<void> {
    const { signal } = this.#stopping
    const delays = monitorEventLoopDelay({ resolution: 10 })
    delays.enable()
    const take = async () => completed(await sample(), now(), delays)
    const started = { time: now(), level: 'info', message: `logstrata ${version} started` }
    this.#lines.push(JSON.stringify({ ...started, kind: 'start', version }))
    try {
      let before = await take()
      while (true) {
        if (now() - before.time >= metricsIntervalMs) {
          const after = await take()
          this.#lines.push(metricsEvent(metricsBetween(before, after), after.time, this.#leftOut))
          this.#taken = 0
          this.#leftOut = 0
          before = after
        }
        const lines = this.#lines
        this.#lines = []
        if (lines.length > 0)
          await sendOwnEvents({ url, certificate, token, timeField }, lines, signal)
        await sleep(tickMs, undefined, { signal })
      }
    } finally {
      delays.disable()
    }
  }
}

function completed(
  sample: ServiceSample,
  time: number,
  delays: ReturnType<typeof monitorEventLoopDelay>,
): SelfSample {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  // Nanoseconds, and without a sample nothing that means anything.
  const milliseconds = (nanoseconds: number) => (delays.count === 0 ? 0 : nanoseconds / 1e6)
  const loopDelayMs = {
    p99: milliseconds(delays.percentile(99)),
    max: milliseconds(delays.max),
  }
  delays.reset()
  const cpuMicros = user + system
  return { ...sample, time, cpuMicros, memoryBytes: rss, heapBytes: heapUsed, loopDelayMs }
}

function metricsEvent(metrics: SelfMetrics, time: number, leftOut: number): string {
  const { events_per_second = 0, queries_per_second = 0, memory_bytes = 0 } = metrics
  const rates = `${events_per_second.toFixed(1)} events/s, ${queries_per_second.toFixed(1)} queries/s`
  const message = `${rates}, ${Math.round(memory_bytes / 2 ** 20)} MiB of memory`
  const more = { kind: 'figures', ...metrics, lines_left_out: leftOut }
  return JSON.stringify({ time, level: 'info', message, ...more })
}

/** A line as an event; undefined for one that is not taken. */
function eventOf(line: string): string | undefined {
  const { level, msg, err, ...more } = JSON.parse(line) as Record<string, unknown>
  const isAboutIngest = String(more.path ?? '').startsWith('/api/v1/webhook/')
  if (Number(level) < infoLevel || isAboutIngest) return undefined
  const { type, message } = Object(err) as Record<string, unknown>
  const error = err === undefined ? {} : { error: { type, message } }
  return JSON.stringify({ level, message: msg, kind: 'line', ...more, ...error })
}
