/** Live tails over HTTP: `text/event-stream` of the records that match, as they arrive. */
import { Type } from 'typebox'
import { parseSelector } from '../../../language/tail-query.ts'
import { limits } from '../../../limits.ts'
import { checkBody } from '../../../schema/check.ts'
import type { TailRequest } from '../../../store/store.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import type { Reply } from '../../reply/reply.ts'
import type { PlainRequest } from '../../routes.ts'
import { EventStream } from './event-stream.ts'
import { QueryRunner } from './query-runner.ts'
import { readVariables } from './query-variables.ts'

export const tailSchema = Type.Object({
  query: Type.String(),
  last: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.tailLastMax,
      description: `an integer between 0 and ${limits.tailLastMax}`,
    }),
  ),
  /** For clients that cannot send the header `Last-Event-ID`, which goes before. */
  lastEventId: Type.Optional(Type.String()),
})

/**
 * Backlogs that are looked for at once. Tails have a line of their own: a hundred that come back
 * together after a restart shall not keep queries out, nor be turned away themselves.
 */
const backlogsAtOnceMax = 2

/** How soon a deleted or expired key ends its tails, ms. */
const grantLookMs = 2_000

export function tailHandlers({ store, config }: Pick<HttpDependencies, 'store' | 'config'>): {
  follow(request: PlainRequest): Promise<Reply>
} {
  const runner = new QueryRunner({
    runningMax: backlogsAtOnceMax,
    queueTimeoutMs: config.queryTimeoutMs,
    waitingMax: limits.tailsMax,
  })
  return {
    async follow({ query: parameters, headers, signal, isStillGranted, caller }) {
      const request = readRequest(parameters, headers.lastEventId)
      const open = async (stop: AbortSignal) => {
        const opened = await store.tail(request, stop)
        if (!stop.aborted) return opened
        opened.close() // Nobody waits for it any more.
        throw stop.reason
      }
      const bounds = {
        timeoutMs: config.queryTimeoutMs,
        clientSignal: signal(),
        asker: caller.apiKey?.id,
      }
      const tail = await runner.run(open, bounds)
      const { tailHeartbeatMs: heartbeatMs } = limits
      return {
        status: 200,
        contentType: 'text/event-stream',
        // nginx holds an answer back until a buffer is full, unless it is told not to.
        headers: [['X-Accel-Buffering', 'no']],
        stream: new EventStream({ tail, isStillGranted, grantLookMs, heartbeatMs }),
        isLive: true,
      }
    },
  }
}

function readRequest(parameters: URLSearchParams, lastEventIdHeader: string): TailRequest {
  const asked = checkBody(tailSchema, plainOf(parameters))
  const selector = parseSelector(asked.query, readVariables(parameters))
  const after = lastEventIdHeader || asked.lastEventId
  // A client that comes back asks as it did before, with `last`: it goes on where it was.
  const start = after ? { after } : { last: asked.last ?? limits.tailLastDefault }
  return { selector, start }
}

/** Parameters as a schema sees them: numbers where they are numbers, what is absent left out. */
function plainOf(parameters: URLSearchParams): Record<string, string | number> {
  const plain: Record<string, string | number> = {}
  for (const name of ['query', 'last', 'lastEventId']) {
    const text = parameters.get(name)
    if (text === null) continue
    plain[name] = name === 'last' && /^-?[0-9]+$/.test(text) ? Number(text) : text
  }
  return plain
}
