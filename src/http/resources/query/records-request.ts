/**
 * What all operations over records are asked alike: which records, of what time, and how long the
 * answer may take.
 */
import { type Static, Type } from 'typebox'
import type { Query, Selector } from '../../../language/ast.ts'
import { parseSingle } from '../../../language/grammar.ts'
import { ProblemError } from '../../../problems.ts'
import type { Timestamp } from '../../../record.ts'

/** The range of a JavaScript Date. */
export const timeMax = 8.64e15

const time = Type.Integer({
  minimum: -timeMax,
  maximum: timeMax,
  description: 'a time in whole milliseconds since 1970',
})

/** The fields of a body that say which records an operation is about. */
export const recordsFields = {
  query: Type.String(),
  variables: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: 'an object of texts by the names of variables',
    }),
  ),
  startTime: time,
  endTime: time,
  timeoutMs: Type.Optional(
    Type.Integer({ minimum: 1, description: 'a positive integer of milliseconds' }),
  ),
}

const recordsSchema = Type.Object(recordsFields)
export type AskedRecords = Static<typeof recordsSchema>

export interface RecordsAsked {
  readonly query: Query
  readonly selector: Selector
  /** Both inclusive, and moved by the query's `offset` when it has one. */
  readonly startTime: Timestamp
  readonly endTime: Timestamp
}

/**
 * Parses the query and checks the range.
 * @throws ProblemError `field_invalid`, or as `parseSingle` does.
 */
export function readRecords({
  query: text,
  variables,
  startTime,
  endTime,
}: AskedRecords): RecordsAsked {
  if (startTime > endTime) {
    const detail = `"startTime" must not be after "endTime" ${endTime}, was ${startTime}`
    throw new ProblemError('field_invalid', detail, { field: 'startTime' })
  }
  const { query, selector, offsetMs } = parseSingle(text, variables)
  return { query, selector, startTime: startTime - offsetMs, endTime: endTime - offsetMs }
}

/** How long an answer may take, ms: what was asked for, at most `maximum`. */
export function readTimeout(asked: number | undefined, maximum: number): number {
  if (asked !== undefined && asked > maximum) {
    const detail = `"timeoutMs" must be at most ${maximum}, was ${asked}`
    throw new ProblemError('field_invalid', detail, { field: 'timeoutMs' })
  }
  return asked ?? maximum
}
