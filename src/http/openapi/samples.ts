/**
 * Examples as lines of shell with curl. They use `$URL`, `$KEY` (an API key) and `$TOKEN` (an ingestion
 * token), which the first steps set; a test runs every one of them.
 */

import type { DescribedRoute } from '../route.ts'
import type { Sample } from './operation.ts'

type SampledRoute = Pick<DescribedRoute, 'method' | 'path' | 'access' | 'body'>

/** The lines that send `sample` to `route`. */
export function shellOf(route: SampledRoute, sample: Sample): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => sample.path?.[name] ?? `{${name}}`)
  const parameters = Object.entries(sample.parameters ?? {})
  const options = sample.options === undefined ? '' : ` ${sample.options}`
  const method = {
    GET: parameters.length > 0 ? ' -G' : '',
    POST: sample.body === undefined && parameters.length === 0 ? ' -X POST' : '',
    PUT: ' -X PUT',
    DELETE: ' -X DELETE',
  }[route.method]
  const lines = [
    `curl -s${options}${method} "$URL${path}"`,
    headersOf(route, sample),
    ...parameters.map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
    ...(sample.body === undefined ? [] : [`-d ${bodyText(sample.body)}`]),
  ]
  const command = lines.filter(line => line !== '').join(' \\\n  ')
  return [...(sample.before ?? []), command].join('\n')
}

/** What is kept in a variable: the text in quotes `after` some text of an answer. */
export interface Captured {
  /** The path of an operation that takes JSON and an API key. */
  readonly from: string
  readonly body: unknown
  readonly behind: string
}

/** A line that sets the variable `name`. */
export function capture(name: string, { from, body, behind }: Captured): string {
  const route = { method: 'POST', path: from, access: 'admin', body: 'json' } as const
  const before = behind.replaceAll(/[[\]\\.*^$/]/g, '\\$&')
  return `${name}=$(${shellOf(route, { body })} |\n  sed 's/.*${before}"\\([^"]*\\)".*/\\1/')`
}

function headersOf({ access, body }: SampledRoute, sample: Sample): string {
  const secret = access === 'ingestion-token' ? '$TOKEN' : '$KEY'
  const contentType = sample.contentType ?? (body === 'form' ? undefined : 'application/json')
  const hasType = sample.body !== undefined && contentType !== undefined
  return [
    ...(access === 'open' ? [] : [`-H "Authorization: Bearer ${secret}"`]),
    ...(hasType ? [`-H 'Content-Type: ${contentType}'`] : []),
    ...Object.entries(sample.headers ?? {}).map(([name, value]) => `-H '${name}: ${value}'`),
  ].join(' ')
}

const lineLengthMax = 72

/** On one line if it is short, else one member a line. Lines of text stay lines. */
function bodyText(body: unknown): string {
  if (typeof body === 'string') return quoted(body)
  const compact = JSON.stringify(body)
  return quoted(compact.length <= lineLengthMax ? compact : spacious(body))
}

/** The first level on lines of its own, and of what is long the second too, and so on. */
function spacious(value: unknown, indent = '    '): string {
  const compact = JSON.stringify(value)
  const isShort = compact.length + indent.length <= lineLengthMax
  if (typeof value !== 'object' || value === null || isShort) return compact
  const isArray = Array.isArray(value)
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${indent}${isArray ? '' : `${JSON.stringify(name)}: `}${spacious(member, `${indent}  `)}`,
  )
  const [open, close] = isArray ? '[]' : '{}'
  return `${open}\n${members.join(',\n')}\n${indent.slice(2)}${close}`
}

/** In single quotes, in which the shell takes everything as it is, but for variables `"$NAME"`. */
function quoted(text: string): string {
  const escaped = text.replaceAll("'", `'\\''`)
  return `'${escaped.replaceAll(/"\$([A-Z_]+)"/g, `"'"$$$1"'"`)}'`
}
