/**
 * `--demo`: the service sends itself the traffic of a small shop, for a first look. First the last
 * hours at once, unless any record of the shop is there already; then what happens from now on, as it
 * happens. It sends as any sender does (`observe/own-sender.ts`).
 */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { parseSingle } from '../language/grammar.ts'
import { OwnEventsRefused, ownToken, sendOwnEvents } from '../observe/own-sender.ts'
import type { SelfLogOptions } from '../observe/self-log.ts'
import type { Store } from '../store/store.ts'
import { hourMs } from '../time-units.ts'
import { type DemoEvent, eventLine, timeField } from './event.ts'
import { services, shopEnvironment, stagingEnvironment, stagingServices } from './shop.ts'
import { Traffic } from './traffic.ts'

export interface DemoOptions
  extends Pick<SelfLogOptions, 'url' | 'certificate' | 'tokens' | 'logger' | 'now'> {
  readonly store: Pick<Store, 'select'>
}

export interface Demo {
  /** Resolves when nothing is sent any more. */
  stop(): Promise<void>
}

/** How much of the past a new directory is filled with. */
export const pastMs = 4 * hourMs
/** The past is made and sent in parts of so much time: small enough to answer queries in between. */
const partMs = 10 * 60_000
/** Between two looks at what has happened meanwhile. */
const tickMs = 500

/** Makes the tokens that are missing, and begins to send. */
export async function startDemo(options: DemoOptions): Promise<Demo> {
  const { logger } = options
  const tokens = await demoTokens(options.tokens)
  const stopping = new AbortController()
  const sent = run(options, tokens, stopping.signal).catch(error => {
    if (!stopping.signal.aborted) logger.error({ err: error }, 'the demo sends no more')
  })
  return {
    async stop() {
      stopping.abort()
      await sent
    },
  }
}

/** By service and environment. */
type DemoTokens = Map<string, string>

const keyOf = (service: string, environment: string) => `${service} ${environment}`

/** The tokens of all senders, those of an earlier start among them. */
export async function demoTokens(tokens: DemoOptions['tokens']): Promise<DemoTokens> {
  const streams = [
    ...services.map(serviceName => ({ serviceName, environment: shopEnvironment })),
    ...stagingServices.map(serviceName => ({ serviceName, environment: stagingEnvironment })),
  ]
  const found: DemoTokens = new Map()
  for (const stream of streams) {
    found.set(keyOf(stream.serviceName, stream.environment), await ownToken(tokens, stream))
  }
  return found
}

async function run(
  { url, certificate, store, logger, now }: DemoOptions,
  tokens: DemoTokens,
  signal: AbortSignal,
): Promise<void> {
  const begun = now()
  const isFirst = !(await hasRecords(store, signal))
  const startTime = isFirst ? begun - pastMs : begun
  // Another seed each time: the same trace ids must not come twice.
  const traffic = new Traffic({ seed: begun, startTime })
  if (isFirst) {
    let count = 0
    for (let time = startTime + partMs; time <= begun; time += partMs) {
      const events = traffic.until(time)
      count += events.length
      await send(events)
      await nextTurn()
    }
    const elapsedMs = now() - begun
    logger.info({ events: count, elapsedMs }, 'the demo has filled in the past')
  }
  while (tokens.size > 0) {
    await send(traffic.until(now()))
    await sleep(tickMs, undefined, { signal })
  }

  async function send(events: readonly DemoEvent[]): Promise<void> {
    const lines = new Map<string, string[]>()
    for (const event of events) {
      const key = keyOf(event.service, event.environment)
      const ofStream = lines.get(key)
      if (ofStream === undefined) lines.set(key, [eventLine(event)])
      else ofStream.push(eventLine(event))
    }
    await Promise.all([...lines].map(([key, ofStream]) => sendStream(key, ofStream)))
  }

  /** A token that somebody deleted silences its service; the others continue. */
  async function sendStream(key: string, lines: readonly string[]): Promise<void> {
    const token = tokens.get(key)
    if (token === undefined) return
    try {
      await sendOwnEvents({ url, certificate, token, timeField }, lines, signal)
    } catch (error) {
      if (!(error instanceof OwnEventsRefused)) throw error
      tokens.delete(key)
      logger.warn(
        { sender: key, status: error.status },
        'a sender of the demo is silent from now on',
      )
    }
  }
}

const ofTheShop = parseSingle(`logs{environment="${shopEnvironment}"}`).selector

async function hasRecords(store: DemoOptions['store'], signal: AbortSignal): Promise<boolean> {
  const request = {
    selector: ofTheShop,
    startTime: 0,
    endTime: Number.MAX_SAFE_INTEGER,
    limit: 1,
    order: 'desc',
    cursor: undefined,
  } as const
  return (await store.select(request, signal)).count > 0
}
