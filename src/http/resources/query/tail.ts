/** Live tails: `text/event-stream` of the records that match, as they arrive. */
import { Type } from 'typebox'
import { parseTail } from '../../../language/tail-query.ts'
import { limits } from '../../../limits.ts'
import { checkBody } from '../../../schema/check.ts'
import { recordSchema } from '../../../store/answer/schemas.ts'
import type { TailRequest } from '../../../store/store.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { described, type Operation } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import type { DescribedRoute, PlainRequest } from '../../route.ts'
import { EventStream } from './event-stream.ts'
import { QueryRunner } from './query-runner.ts'
import { readVariables } from './query-variables.ts'
import { integerBetween } from './records-request.ts'

type Dependencies = Pick<HttpDependencies, 'store' | 'config'>

const tailSchema = Type.Object({
  query: Type.String(),
  last: integerBetween(0, limits.tailLastMax),
  /** For clients that cannot send the header `Last-Event-ID`, which goes before. */
  lastEventId: Type.Optional(Type.String()),
})

/**
 * Backlogs that are looked for at once. Tails have a line of their own: a hundred that come back
 * together after a restart shall not keep queries out, nor be turned away themselves.
 */
const backlogsAtOnceMax = 2

/** How soon a deleted or expired key ends its tails, ms. */
export const grantLookMs = 2_000

const droppedSchema = Type.Object(
  { count: Type.Integer({ minimum: 1 }) },
  {
    description:
      'So many matching records are missing here: the client reads too slowly, or was away too long.',
  },
)

const about: Operation = {
  id: 'tailLogs',
  tag: 'Streams',
  summary: 'Follow records as they arrive',
  description: `A stream of server-sent events. It begins with the last few records that match, then gives
each new one soon after it was acknowledged, in the order of arrival, none twice.

The \`id\` of an event resumes behind it: \`EventSource\` sends it as \`Last-Event-ID\` when it connects again. After
${limits.tailHeartbeatMs / 1000} s of silence comes a comment as a heartbeat, with an \`id\` too. The stream ends when the service stops or
the credential is deleted. At most ${limits.tailsMax} clients at once.

\`query\` must be a selector. Its variables are parameters of their own: \`var.NAME=VALUE\`.`,
  parameters: described(tailSchema, {
    query: 'A selector; see the language above.',
    last: `How many records to begin with; ${limits.tailLastDefault} when absent.`,
    lastEventId: 'For clients that cannot send the header `Last-Event-ID`, which goes before.',
  }),
  headers: {
    'Last-Event-ID': 'The `id` of the last event that was received: goes on behind it.',
  },
  answers: {
    200: {
      description: 'Events until somebody ends it.',
      contents: {
        'text/event-stream': {
          schema: Type.String({ description: 'UTF-8, as of WHATWG HTML, section 9.2.' }),
          events: { record: recordSchema, dropped: droppedSchema },
        },
      },
    },
  },
  problems: [...queryProblems, 'tails_too_many'],
  sample: {
    options: '-N',
    parameters: { query: 'logs{log_level="error"}', last: '5' },
  },
}

/** Opens tails in a line of their own. */
export function tailOpener({ store, config }: Dependencies) {
  const runner = new QueryRunner({
    runningMax: backlogsAtOnceMax,
    queueTimeoutMs: config.queryTimeoutMs,
    waitingMax: limits.tailsMax,
  })
  return (asked: TailRequest, { signal, caller }: PlainRequest) => {
    const open = async (stop: AbortSignal) => {
      const opened = await store.tail(asked, stop)
      if (!stop.aborted) return opened
      opened.close() // Nobody waits for it any more.
      throw stop.reason
    }
    const bounds = {
      timeoutMs: config.queryTimeoutMs,
      clientSignal: signal(),
      asker: caller.apiKey?.id,
    }
    return runner.run(open, bounds)
  }
}

export function tailRoute(dependencies: Dependencies): DescribedRoute {
  const open = tailOpener(dependencies)
  return {
    method: 'GET',
    path: '/api/v1/query/logs/tail',
    access: 'viewer',
    body: 'none',
    about,
    async handle(request) {
      const { query, headers, isStillGranted } = request
      const tail = await open(readRequest(query, headers.lastEventId), request)
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
  const selector = parseTail(asked.query, readVariables(parameters))
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
