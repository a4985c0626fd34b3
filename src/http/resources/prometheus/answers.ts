/**
 * Answers in Prometheus' form. Values are text, times are seconds. Results of queries are sent as
 * they are written, a few series at a time: a range may have millions of points, and no answer may
 * hold up the others.
 */

import { type TSchema, Type } from 'typebox'
import type { Series, Value } from '../../../query/evaluate/vector.ts'
import type { Timestamp } from '../../../record.ts'
import { jsonReply, type Reply, type ReplyStream } from '../../reply/reply.ts'
import { metricName, nameLabel } from './metric-name.ts'

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
  const show = ({ labels, points: [point] }: Series) =>
    point === undefined
      ? undefined
      : `{"metric":${metricOf(labels, hasName)},"value":${sampleText(time, point)}}`
  return streamReply('vector', value.series, show, result)
}

/** The values at `start` and every step from there. */
export function rangeReply(
  result: QueryResult,
  { start, stepMs, pointCount }: { start: Timestamp; stepMs: number; pointCount: number },
): Reply {
  const { value, hasName } = result
  const series =
    value.kind === 'vector'
      ? value.series
      : [{ labels: {}, points: new Array<number>(pointCount).fill(value.value) }]
  const show = ({ labels, points }: Series) => {
    let samples = ''
    for (let i = 0; i < points.length; i++) {
      const point = points[i]
      if (point === undefined) continue
      samples += `${samples === '' ? '' : ','}${sampleText(start + i * stepMs, point)}`
    }
    return samples === ''
      ? undefined
      : `{"metric":${metricOf(labels, hasName)},"values":[${samples}]}`
  }
  return streamReply('matrix', series, show, result)
}

/** Characters that are gathered before they are sent. */
const chunkLength = 64 * 1024

function streamReply(
  resultType: 'vector' | 'matrix',
  series: readonly Series[],
  show: (series: Series) => string | undefined,
  { notes, stats }: QueryResult,
): Reply {
  async function* write(): ReplyStream {
    let text = `{"status":"success","data":{"resultType":"${resultType}","result":[`
    let separator = ''
    for (const one of series) {
      const shown = show(one)
      if (shown === undefined) continue
      text += separator + shown
      separator = ','
      if (text.length < chunkLength) continue
      yield text
      text = ''
    }
    yield `${text}]${furtherMembers({ stats })}}${furtherMembers(shownNotes(notes))}}`
  }
  return { status: 200, contentType: 'application/json', stream: write() }
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

/** A time in seconds and a value as text, as they are in JSON. */
export function sampleText(time: Timestamp, value: number): string {
  return `[${time / 1000},"${textOf(value)}"]`
}

function textOf(value: number): string {
  if (Number.isFinite(value)) return String(value)
  if (Number.isNaN(value)) return 'NaN'
  return value > 0 ? '+Inf' : '-Inf'
}
