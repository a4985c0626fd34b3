/**
 * What a service asks itself over HTTP after a start: V8 compiles a request's way from the socket to
 * the query and back when it is first gone, and a client's first question would wait for that. The
 * questions go over a socket, so that nothing of the way is left out, but over one of their own, which
 * takes a secret that nobody else has, is counted where nobody looks, and is closed when they are answered.
 */
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { ApiKey } from '../catalog/api-keys.ts'
import { digestOf } from '../catalog/secrets/digest.ts'
import { type OthersFirst, othersFirst } from '../threads/others-first.ts'
import type { CatalogDoor, HttpDependencies } from './dependencies.ts'
import { createHttpServer } from './server.ts'
import type { Asked } from './warm-up-questions.ts'

/** Asks until it has asked enough. */
export type Asking = (asked: Asked) => Promise<void>

const stopLimitMs = 1_000
const loopback = '127.0.0.1'

/**
 * Has `asking` ask until it has asked enough. `dependencies`: of the service, with a store that counts what
 * it is asked where nobody looks. Rejects with the signal's reason, or when it cannot listen on the loopback
 * interface.
 */
export async function warmUpHttp(
  dependencies: HttpDependencies,
  turns: OthersFirst,
  asking: Asking,
): Promise<void> {
  const { signal } = turns
  signal.throwIfAborted()
  const secret = randomBytes(32).toString('base64url')
  const server = await createHttpServer({
    ...dependencies,
    host: loopback,
    port: 0,
    config: { ...dependencies.config, tlsCert: undefined, tlsKey: undefined },
    catalog: onlyFor(secret, dependencies.catalog),
  })
  const agent = new Agent({ keepAlive: true })
  const { port } = server
  const asked = {
    workedMs: 0,
    ask: async (path: string, body: object) => {
      await othersFirst(turns)
      const askedAt = performance.now()
      const answer = await post({ port, path, agent, signal, secret }, JSON.stringify(body))
      asked.workedMs += performance.now() - askedAt
      return answer
    },
  }
  try {
    await asking(asked)
  } finally {
    agent.destroy()
    await server.stop(stopLimitMs)
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
