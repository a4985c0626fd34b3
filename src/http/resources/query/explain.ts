/** What a query means, and what answering it would read: told without reading it. */

import { Type } from 'typebox'
import { type Aggregate, countOf, type RangeAggregate } from '../../../language/ast.ts'
import { parseAsked } from '../../../language/grammar.ts'
import { printQuery } from '../../../language/print.ts'
import { evaluate } from '../../../query/evaluate/evaluate.ts'
import { earlier } from '../../../record.ts'
import { checkBody } from '../../../schema/check.ts'
import { statsSchema } from '../../../store/answer/schemas.ts'
import type { RecordsRequest, SelectStats } from '../../../store/store.ts'
import { described, jsonAnswer } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { boundsOf, type QueryDependencies } from './bounds.ts'
import { readVariables } from './query-variables.ts'
import { anyTime, recordsFields, recordsMeanings } from './records-request.ts'
import { notesFields, notesOn } from './request-notes.ts'

const { query, startTime, endTime } = recordsFields
const parametersSchema = Type.Object({ query, startTime, endTime })

const explainAnswer = Type.Object({
  query: Type.String({ description: 'The query in its canonical text.' }),
  tree: Type.Unknown({ description: 'What it means, as a tree.' }),
  reads: Type.Array(
    Type.Object({
      of: Type.String({ description: 'The part of the query that is answered by one scan.' }),
      stats: statsSchema,
    }),
    { description: 'In the order in which they are asked; none for numbers alone.' },
  ),
  ...notesFields,
})

/** One scan of a query, and what it would read. */
interface Read {
  readonly of: string
  readonly stats: SelectStats
}

export function explainRoute({ store, config, runner }: QueryDependencies): DescribedRoute {
  return {
    method: 'GET',
    path: '/api/v1/query/explain',
    access: 'viewer',
    body: 'none',
    about: {
      id: 'explainQuery',
      tag: 'Exploring',
      summary: 'What a query means, and what it would read',
      description: `The query is planned as one value over the whole range, as \`/api/v1/query/logs\` evaluates
an expression (a selector: as its count), and columns are left unread. \`stats\` says of each scan what leaves
how many blocks out (time and stream, level, the index alone, words, attributes and values, templates), and how
many blocks, frames and bytes it would read: exactly what is read when it is asked, of \`distinct\` in the first of
its readings. Records that are shown, too, are read besides. Values of variables are parameters of their own: \`var.NAME=VALUE\`.`,
      parameters: described(parametersSchema, {
        query: recordsMeanings.query,
        startTime: recordsMeanings.startTime,
        endTime: recordsMeanings.endTime,
      }),
      answers: { 200: jsonAnswer('The tree, and what would be read.', explainAnswer) },
      problems: queryProblems,
      sample: {
        parameters: {
          query: 'logs{log_level="error"}',
          startTime: '0',
          endTime: `${anyTime.endTime}`,
        },
      },
    },
    async handle(request) {
      const parameters = new URLSearchParams(request.query)
      const asked = checkBody(parametersSchema, plainOf(parameters))
      const { query, interpretedAs } = parseAsked(asked.query, readVariables(parameters))
      const bounds = boundsOf(request, undefined, config)
      const reads: Read[] = []
      // Counts are made by the question for records, which leaves blocks closed that a series reads.
      const readsOf = async (
        records: RecordsRequest & { by: readonly string[] },
        stop: AbortSignal,
      ) => {
        const noRecords = { limit: 0, order: 'asc', cursor: undefined, isExplained: true } as const
        return (await store.select({ ...records, ...noRecords }, stop)).stats
      }
      const stepMs = Math.max(1, asked.endTime - asked.startTime + 1)
      await runner.run(async stop => {
        const ask = async (aggregate: Aggregate | RangeAggregate) => {
          const points = { origin: asked.startTime, stepMs, pointCount: 1 }
          const explained = await store.series({ aggregate, ...points, isExplained: true }, stop)
          reads.push({ of: printQuery(aggregate), stats: explained.stats })
          return explained.series
        }
        const count = query.kind === 'selector' ? countOf(query) : query
        if (count.kind === 'aggregate' && count.operation === 'count') {
          const { selector, by, offsetMs } = count
          const stats = await readsOf({ selector, by, ...earlier(asked, offsetMs) }, stop)
          reads.push({ of: printQuery(count), stats })
        } else await evaluate(count, ask, 1, stop)
      }, bounds)
      const notes = notesOn(asked, interpretedAs)
      return jsonReply({ query: printQuery(query), tree: query, reads, ...notes })
    },
  }
}

function plainOf(parameters: URLSearchParams): Record<string, unknown> {
  const times = ['startTime', 'endTime'].map(name => {
    const text = parameters.get(name)
    return [name, text !== null && /^-?[0-9]+$/.test(text) ? Number(text) : (text ?? undefined)]
  })
  return { query: parameters.get('query') ?? undefined, ...Object.fromEntries(times) }
}
