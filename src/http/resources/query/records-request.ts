/**
 * The parameters that all operations over records share: which records, of what time, and how long the
 * answer may take.
 */
import { type Static, Type } from 'typebox'
import type { Query, Selector } from '../../../language/ast.ts'
import { parseSingle, type SingleQuery } from '../../../language/grammar.ts'
import { ParsedTexts } from '../../../language/parsed-texts.ts'
import { ProblemError } from '../../../problems.ts'
import { earlier, type TimeRange, timeMax } from '../../../record.ts'
import { notesOn, type RequestNotes } from './request-notes.ts'

const time = Type.Integer({
  minimum: -timeMax,
  maximum: timeMax,
  description: 'a time in whole milliseconds since 1970',
})

/** The fields of a body that say which records an operation is about. */
export const recordsFields = {
  query: Type.String(),
  variables: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })]),
      { description: 'an object of texts, or lists of texts, by the names of variables' },
    ),
  ),
  startTime: time,
  endTime: time,
  timeoutMs: Type.Optional(
    Type.Integer({ minimum: 1, description: 'a positive integer of milliseconds' }),
  ),
}

/** What these fields mean. */
export const recordsMeanings = {
  query: 'A query; see the language above.',
  variables: 'The values of variables, `$name` in the query: a text, or several as a list.',
  startTime: 'Begin of the range, inclusive.',
  endTime: 'End of the range, inclusive.',
  timeoutMs: 'How long the answer may take; then it is 503.',
}

/** What the document says of operations for which only the selector counts. */
export const oneSelector =
  'The query must have one selector; what is done with its records does not matter here.'

/** In examples, from 1970 to 2100: all records there are. */
export const anyTime = { startTime: 0, endTime: 4_102_444_800_000 }

/** How many are wanted, in a field that may be absent. */
export function integerBetween(minimum: number, maximum: number) {
  const description = `an integer between ${minimum} and ${maximum}`
  return Type.Optional(Type.Integer({ minimum, maximum, description }))
}

const recordsSchema = Type.Object(recordsFields)
export type AskedRecords = Static<typeof recordsSchema>

/** The range is moved by the query's `offset` when it has one. */
export interface RecordsAsked extends TimeRange {
  readonly query: Query
  readonly selector: Selector
  /** What is said of it beside the answer. */
  readonly notes: RequestNotes
}

/**
 * Parses the query and checks the range.
 * @throws ProblemError `field_invalid`, or as `parseSingle` does.
 */
export function readRecords(asked: AskedRecords): RecordsAsked {
  checkRange(asked)
  const { query, selector, offsetMs, interpretedAs } = parsedOf(asked)
  const notes = notesOn(asked, interpretedAs)
  return { query, selector, ...earlier(asked, offsetMs), notes }
}

const withoutVariables = new ParsedTexts(text => parseSingle(text))

function parsedOf({ query, variables }: AskedRecords): SingleQuery {
  return variables === undefined ? withoutVariables.of(query) : parseSingle(query, variables)
}

/** Throws ProblemError `field_invalid` when a range ends before it begins; either end may be open. */
export function checkRange({ startTime, endTime }: Partial<TimeRange>): void {
  if (startTime === undefined || endTime === undefined || startTime <= endTime) return
  const detail = `"startTime" must not be after "endTime" ${endTime}, was ${startTime}`
  throw new ProblemError('field_invalid', detail, { field: 'startTime' })
}
