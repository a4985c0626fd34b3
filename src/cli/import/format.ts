/**
 * What a line of a file is, a JSON event or a message, and how it becomes a line of a request.
 */

import { CommandError } from '../command-error.ts'
import { isObject, parseJson } from '../json.ts'
import type { Line } from './lines.ts'

export type BatchFormat = 'ndjson' | 'text'

export type Encoded =
  | { readonly ok: true; readonly event: Buffer }
  | { readonly ok: false; readonly code: string; readonly detail: string }

/** Lines that are looked at. A log may begin with a cut line, or with a tool's banner. */
const guessLines = 10

/**
 * The format of a file, by the first lines of it. Throws CommandError for a JSON document that
 * stretches over lines, or holds its events in one array: as lines of text it would be of no use.
 */
export function guessFormat(name: string, lines: readonly Line[]): BatchFormat {
  const texts = lines.slice(0, guessLines).map(({ bytes }) => bytes?.toString('utf8').trim() ?? '')
  const first = texts[0] ?? ''
  if (first === '{' || first === '[' || Array.isArray(parseJson(first))) {
    throw new CommandError(
      `${name} is a JSON document, not one event a line; convert it first: jq -c '.[]' (or jq -c .), or say --format text`,
    )
  }
  const objectCount = texts.filter(text => isObject(parseJson(text))).length
  return objectCount * 2 >= texts.length ? 'ndjson' : 'text'
}

/** How a line (valid UTF-8, not empty) of this format becomes an event. */
export function encoderOf(format: BatchFormat): (line: Buffer) => Encoded {
  return format === 'text' ? encodeText : encodeJson
}

function encodeText(line: Buffer): Encoded {
  return { ok: true, event: Buffer.from(JSON.stringify({ message: line.toString('utf8') })) }
}

const openingBracket = 0x5b
const space = 0x20

/**
 * JSON goes as it is, and the service judges it. Only a line that begins with "[" must not come
 * first in a body, which would then count as one array of events: wrapped as a message it makes the
 * very same record.
 */
function encodeJson(line: Buffer): Encoded {
  if (line.find(byte => byte > space) !== openingBracket) {
    return { ok: true, event: line }
  }
  const text = line.toString('utf8')
  return parseJson(text) === undefined
    ? { ok: false, code: 'json_invalid', detail: 'the line is not valid JSON' }
    : { ok: true, event: Buffer.from(`{"message":${text}}`) }
}
