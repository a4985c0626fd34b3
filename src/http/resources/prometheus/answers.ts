/**
 * Answers in Prometheus' form. Values are text, times are seconds. Results of queries are sent as
 * they are written, a few series at a time: a range may have millions of points, and no answer may
 * hold up the others.
 */

import { type TSchema, Type } from 'typebox'
import type { Series, Value } from '../../../query/evaluate/vector.ts'
import type { Timestamp } from '../../../record.ts'
import { jsonReply, type Reply } from '../../reply/reply.ts'
import { metricName, nameLabel } from './metric-name.ts'
import { gathered, matrixItems, type Points, textOf, vectorItems } from './series-text.ts'

/** What is said beside an answer. */
export interface Notes {
  /** What may make the answer wrong. */
  readonly warnings: readonly string[]
  /** What may not be as the asker thinks. */
  readonly infos: readonly string[]
}

export const noNotes: Notes = { warnings: [], infos: [] }

/**
 * An answer in the envelope that Prometheus' API has: `{"status":"success","data":…}`, and notes if any.
 */
export function successReply(data: unknown, notes: Notes = noNotes): Reply {
  return jsonReply({ status: 'success', data, ...shownNotes(notes) })
}

const notesSchemas = {
  warnings: Type.Optional(
    Type.Array(Type.String(), { description: 'What may make the answer wrong.' }),
  ),
  infos: Type.Optional(
    Type.Array(Type.String(), { description: 'What may not be as the asker thinks.' }),
  ),
}

/** Of what `successReply` makes. */
export function successSchema(data: TSchema) {
  return Type.Object({ status: Type.Literal('success'), data, ...notesSchemas })
}

function shownNotes({ warnings, infos }: Notes): object {
  return { ...(warnings.length > 0 && { warnings }), ...(infos.length > 0 && { infos }) }
}

/** The value of a query and what belongs to it. */
export interface QueryResult {
  readonly value: Value
  /** Whether its series have the metric's name. */
  readonly hasName: boolean
  readonly notes: Notes
  /** Undefined when nobody asked for it. */
  readonly stats: object | undefined
}

/** The value at one time. */
export function instantReply(result: QueryResult, time: Timestamp): Reply {
  const { value, hasName } = result
  if (value.kind === 'scalar') {
    const { notes, stats } = result
    const data = { resultType: 'scalar', result: [time / 1000, textOf(value.value)], stats }
    return successReply(data, notes)
  }
  const items = vectorItems(value.series, time, labels => metricOf(labels, hasName))
  return streamReply('vector', items, result)
}

/** The values at `start` and every step from there. */
export function rangeReply(result: QueryResult, points: Points): Reply {
  const items = matrixItems(result.value, points, labels => metricOf(labels, result.hasName))
  return streamReply('matrix', items, result)
}

function streamReply(
  resultType: 'vector' | 'matrix',
  items: Iterable<string>,
  { notes, stats }: QueryResult,
): Reply {
  const begin = `{"status":"success","data":{"resultType":"${resultType}","result":[`
  const end = `]${furtherMembers({ stats })}}${furtherMembers(shownNotes(notes))}}`
  return { status: 200, contentType: 'application/json', stream: gathered(begin, items, end) }
}

/** The members of an object as text, to be put after others. */
function furtherMembers(members: object): string {
  const text = JSON.stringify(members).slice(1, -1)
  return text === '' ? '' : `,${text}`
}

/** Empty labels are absent ones. */
function metricOf(labels: Series['labels'], hasName: boolean): string {
  const named: [string, string][] = hasName ? [[nameLabel, metricName]] : []
  const shown = [...named, ...Object.entries(labels).filter(([, value]) => value !== '')]
  const members = shown.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  return `{${members.join(',')}}`
}

export const sampleSchema = Type.Array(Type.Union([Type.Number(), Type.String()]), {
  minItems: 2,
  maxItems: 2,
  description:
    'A time in seconds since 1970, and the value as text: a number, `NaN`, `+Inf` or `-Inf`.',
})
