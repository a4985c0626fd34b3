/** `tail`: entries as they arrive, on a WebSocket: Grafana's Live, and `logcli query --tail`. */

import { parseTail } from '../../../../language/tail-query.ts'
import { limits } from '../../../../limits.ts'
import type { TailRequest } from '../../../../store/store.ts'
import { hourMs } from '../../../../time-units.ts'
import { queryProblems } from '../../../openapi/route-problems.ts'
import type { DescribedRoute } from '../../../route.ts'
import { optional, parametersOf, text } from '../../prometheus/described.ts'
import { requiredParameter } from '../../prometheus/parameters.ts'
import type { QueryDependencies } from '../../query/bounds.ts'
import { grantLookMs, tailOpener } from '../../query/tail.ts'
import { timeWords } from '../described.ts'
import { lokiErrors } from '../errors.ts'
import { lokiPath } from '../form-routes.ts'
import { readEntryLimit } from '../parameters.ts'
import { readTime, toMs } from '../times.ts'
import { TailMessages } from './tail-messages.ts'

const about = {
  id: 'lokiTail',
  tag: 'Loki',
  summary: 'Follow entries as they arrive',
  description: `A WebSocket. It begins with the last few entries that match, then gives each new one soon after it was
acknowledged, in the order of arrival, none twice: messages \`{"streams":[{"stream":{…},"values":[["<ns>","<line>"]]}]}\`.
\`dropped_entries\` says how many are missing when the client reads too slowly. At most ${limits.tailsMax} clients at once.`,
  parameters: parametersOf(
    { query: text, limit: optional, start: optional, delay_for: optional },
    {
      query: 'A selector; see the language above.',
      limit: `How many entries to begin with, ${limits.lokiEntriesDefault} when absent; never more than ${limits.tailLastMax}.`,
      start: `None from before: ${timeWords}. An hour ago when absent.`,
      delay_for: 'Changes nothing here: entries come in the order of arrival.',
    },
  ),
  answers: { 101: { description: 'The connection is a WebSocket.' } },
  problems: [...queryProblems, 'tails_too_many'],
} as const

export function tailRoute(dependencies: QueryDependencies): DescribedRoute {
  const open = tailOpener(dependencies)
  return {
    method: 'GET',
    path: lokiPath('tail'),
    access: 'viewer',
    takesBasic: true,
    body: 'socket',
    errors: lokiErrors,
    about,
    async handle(request) {
      const tail = await open(readRequest(request.query), request)
      const { isStillGranted } = request
      return { status: 101, messages: new TailMessages({ tail, isStillGranted, grantLookMs }) }
    },
  }
}

function readRequest(parameters: URLSearchParams): TailRequest {
  const selector = parseTail(requiredParameter(parameters, 'query'), {})
  const start = readTime(parameters, 'start')
  const since = start === undefined ? Date.now() - hourMs : toMs(start)
  const last = Math.min(readEntryLimit(parameters), limits.tailLastMax)
  return { selector, start: { last, since }, form: 'loki-streams' }
}
