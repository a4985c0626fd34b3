/** The shape of all operations that look at the records of one selector, whatever is done with these. */

import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { checkBody } from '../../../schema/check.ts'
import { described, jsonAnswer, type Operation } from '../../openapi/operation.ts'
import { queryProblems } from '../../openapi/route-problems.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { boundsOf, type QueryDependencies } from './bounds.ts'
import {
  type AskedRecords,
  anyTime,
  oneSelector,
  type RecordsAsked,
  readRecords,
  recordsFields,
  recordsMeanings,
} from './records-request.ts'
import { notesFields } from './request-notes.ts'

interface Exploring<Own extends TProperties> extends Pick<Operation, 'id' | 'tag' | 'summary'> {
  /** The last part of the path. */
  readonly name: string
  /** What is said beyond `oneSelector`. */
  readonly description?: string
  /** Fields of the body beside those that say which records, and what they mean. */
  readonly fields: Own
  readonly meanings: { readonly [K in keyof Own]: string }
  /** Values of these fields in an example. */
  readonly sample: Static<TObject<Own>>
  /** What `ask` resolves with, and which of it is told; the notes on the request come behind. */
  readonly answer: readonly [description: string, schema: TObject]
  /** What to run. Throws ProblemError `field_invalid` for what a schema cannot say. */
  ask(
    records: Asked,
    own: Static<TObject<Own>> & AskedRecords,
  ): (stop: AbortSignal) => Promise<object>
}

type Asked = Pick<RecordsAsked, 'selector' | 'startTime' | 'endTime'>

export function exploringRoute<Own extends TProperties>(
  { config, runner }: QueryDependencies,
  { name, id, tag, summary, description, fields, meanings, sample, answer, ask }: Exploring<Own>,
): DescribedRoute {
  const bodySchema: TObject = Type.Object({ ...recordsFields, ...fields })
  const [told, { properties }] = answer
  return {
    method: 'POST',
    path: `/api/v1/query/logs/${name}`,
    access: 'viewer',
    body: 'json',
    about: {
      id,
      tag,
      summary,
      description: description === undefined ? oneSelector : `${oneSelector} ${description}`,
      body: described(bodySchema, { ...recordsMeanings, ...meanings }),
      answers: { 200: jsonAnswer(told, Type.Object({ ...properties, ...notesFields })) },
      problems: queryProblems,
      sample: { body: { query: 'logs', ...anyTime, ...sample } },
    },
    async handle(request) {
      const asked = checkBody(bodySchema, request.body) as AskedRecords & Static<TObject<Own>>
      const { query: _, notes, ...records } = readRecords(asked)
      const bounds = boundsOf(request, asked.timeoutMs, config)
      const result = await runner.run(ask(records, asked), bounds)
      return jsonReply({ ...result, ...notes })
    },
  }
}
