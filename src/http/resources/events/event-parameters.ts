/**
 * What the query of an address says about the events that are sent to it.
 *
 * A parameter that nobody knows costs no event: it is named in a `Warning` header. (RFC 9111 leaves that
 * header out, RFC 7234 has its form; Kubernetes' API warns its clients in the same way.)
 */

import type { IngestRequestOptions } from '../../../ingest/ingest.ts'
import type { ParseChoice } from '../../../ingest/normalise.ts'
import { ProblemError } from '../../../problems.ts'
import { tokenParameter } from '../../access/ingestion-secret.ts'
import type { Reply } from '../../reply/reply.ts'

const eventParameters = ['timestamp_field', 'parse'] as const
type EventParameter = (typeof eventParameters)[number]

export interface EventQuery {
  readonly options: IngestRequestOptions
  /** What to tell the sender. */
  readonly headers: Reply['headers']
}

/** `parse` is what the token says. Throws `field_invalid` for a known parameter without a usable value. */
export function readEventQuery(query: string, parse: ParseChoice): EventQuery {
  if (query === '') return { options: { timestampField: undefined, parse }, headers: undefined }
  const parameters = new URLSearchParams(query)
  const timestampField = only(parameters, 'timestamp_field', 'the name of one field')
  const asked = only(parameters, 'parse', parseExpected)
  if (asked !== undefined && asked !== 'json' && asked !== 'none') {
    throw invalid('parse', parseExpected, JSON.stringify(asked.slice(0, shownLengthMax)))
  }
  return {
    options: { timestampField, parse: asked === undefined ? parse : parseChoices[asked] },
    headers: warningHeaders(parameters.keys(), eventParameters),
  }
}

const parseExpected = '"json" or "none"'
const parseChoices = { json: 'json', none: undefined } as const

/** Of names that a sender made up, the first, each up to this many characters. */
const shownMax = 5
const shownLengthMax = 50

/** A warning that names the parameters which are not among the known, nor a token; none when all are. */
export function warningHeaders(
  names: Iterable<string>,
  known: readonly string[],
): Reply['headers'] {
  const mayBe = new Set([...known, tokenParameter])
  const unknown = [...new Set(names)].filter(name => !mayBe.has(name))
  if (unknown.length === 0) return undefined
  const shown = unknown.slice(0, shownMax).map(printable)
  const more = unknown.length > shownMax ? ` and ${unknown.length - shownMax} more` : ''
  const rule = known.length === 0 ? 'none is known here' : `known are ${known.join(' and ')}`
  const text = `query parameters without effect: ${shown.join(', ')}${more}; ${rule}`
  return [['Warning', `299 - "${text}"`]]
}

/** Nothing that could end the header, or its quotes. */
function printable(name: string): string {
  return encodeURIComponent(name.slice(0, shownLengthMax).toWellFormed())
}

function only(parameters: URLSearchParams, name: EventParameter, expected: string) {
  const values = parameters.getAll(name)
  if (values.length > 1) throw invalid(name, expected, `${values.length} of them`)
  if (values[0] === '') throw invalid(name, expected, 'an empty one')
  return values[0]
}

function invalid(field: EventParameter, expected: string, found: string): ProblemError {
  return new ProblemError('field_invalid', `"${field}" must be ${expected}, was ${found}`, {
    field,
  })
}
