/**
 * What a service asks itself over HTTP after a start: V8 compiles a request's way from the socket to
 * the query and back when it is first gone, and a client's first question would wait for that. The
 * questions go over a socket, so that nothing of the way is left out, but over one of their own, which
 * takes a secret that nobody else has, is counted nowhere, and is closed when they are answered.
 */
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ApiKey } from '../catalog/api-keys.ts'
import { digestOf } from '../catalog/secrets/digest.ts'
import type { TimeRange } from '../record.ts'
import { type OthersFirst, othersFirst } from '../threads/others-first.ts'
import type { CatalogDoor, HttpDependencies } from './dependencies.ts'
import { createHttpServer } from './server.ts'

/** Enough for what is on the way to be compiled; all of it takes some 300 ms. */
const rounds = 15
/** Rounds that ask what goes over all columns of a range, too, whose code runs often in one question. */
const exploringRounds = 4
const stopLimitMs = 1_000
const loopback = '127.0.0.1'
/** What times are asked about when records are found, ms before the newest one. */
const rangeMs = 60_000

/**
 * Asks until it has asked enough. `dependencies`: of the service, with a store that does not count what it is
 * asked. Rejects with the signal's reason, or when it cannot listen on the loopback interface.
 */
export async function warmUpHttp(
  dependencies: HttpDependencies,
  turns: OthersFirst,
): Promise<void> {
  const { signal } = turns
  const secret = randomBytes(32).toString('base64url')
  const server = await createHttpServer({
    ...dependencies,
    host: loopback,
    port: 0,
    config: { ...dependencies.config, tlsCert: undefined, tlsKey: undefined },
    catalog: onlyFor(secret, dependencies.catalog),
  })
  const agent = new Agent({ keepAlive: true })
  const ask = async (path: string, body: object) => {
    await othersFirst(turns)
    return post({ port: server.port, path, agent, signal, secret }, JSON.stringify(body))
  }
  try {
    for (let round = 0; round < rounds; round++) {
      const recently = await askBriefly(ask)
      if (recently !== undefined && round < exploringRounds) await explore(ask, recently)
    }
  } finally {
    agent.destroy()
    await server.stop(stopLimitMs)
  }
}

type Ask = (path: string, body: object) => Promise<string>

const queryPath = '/api/v1/query/logs'
/** From the first to the last time that a query may name. */
const always = { startTime: 0, endTime: 8.64e15 } as const
const newestFirst = { order: 'desc', limit: 100 } as const

/** What a program asks, one after the other. Returns the newest minute of records, if there are any. */
async function askBriefly(ask: Ask): Promise<TimeRange | undefined> {
  const newest = await ask(queryPath, { query: 'count(logs)', ...always, ...newestFirst, limit: 1 })
  const endTime = JSON.parse(newest).logs?.[0]?.timestamp
  if (endTime === undefined) return undefined
  const recently = { startTime: endTime - rangeMs, endTime }
  const ofErrors = 'count(logs{log_level="error"})'
  await ask(queryPath, { query: ofErrors, ...recently, ...newestFirst })
  await ask(queryPath, { query: 'logs |= "error"', ...recently, ...newestFirst })
  await ask(queryPath, { query: 'count by (service.name) (logs)', ...recently, limit: 1 })
  return recently
}

/** What a person's first look at the page asks besides. */
async function explore(ask: Ask, range: TimeRange): Promise<void> {
  for (const sort of ['histogram', 'facets', 'fields']) {
    await ask(`${queryPath}/${sort}`, { query: 'logs', ...range })
  }
}

interface Target {
  readonly port: number
  readonly path: string
  readonly agent: Agent
  readonly signal: AbortSignal
  readonly secret: string
}

async function post({ secret, ...target }: Target, body: string): Promise<string> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  request({ host: loopback, method: 'POST', headers, ...target }, answer => {
    text(answer).then(resolve, reject)
  })
    .on('error', reject)
    .end(body)
  return await promise
}

/** The same, with a viewer's key that is this secret, and no other. */
function onlyFor(secret: string, catalog: CatalogDoor): CatalogDoor {
  const { ingestionTokens, sessions, dashboards, savedQueries } = catalog
  const viewer: ApiKey = { id: '', name: 'warm-up', role: 'viewer', createdAt: 0, expiresAt: null }
  const byDigest = new Map([[digestOf(secret), viewer]])
  const find = (key: string) => byDigest.get(digestOf(key))
  const refuse = () => Promise.reject(new TypeError('a viewer may not change keys'))
  const apiKeys = { find, list: () => [], create: refuse, delete: refuse }
  return { ingestionTokens, sessions, dashboards, savedQueries, apiKeys }
}
