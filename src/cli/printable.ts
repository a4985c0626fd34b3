/**
 * Text of others, made safe to show. A message may hold anything at all, also sequences that clear a
 * terminal, retitle it or type into it; and text that runs from right to left can make a line seem to
 * say something else. Such characters are shown as escapes, never written raw.
 */

/**
 * Beside C0: DEL, C1 (a terminal may take U+009B for "escape ["), line and paragraph separators, and
 * the marks, embeddings, overrides and isolates of the bidirectional algorithm; lone surrogates too.
 */
const others =
  '\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff]|\\p{Surrogate}'
const unsafe = new RegExp(`[\\x00-\\x1f${others}`, 'gu')
const unsafeButLines = new RegExp(`[\\x00-\\x09\\x0b-\\x1f${others}`, 'gu')

const shortEscapes = new Map([
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
])

/** On one line: a line feed is shown as `\n`, an escape as `\x1b`. */
export function printable(text: string): string {
  return text.replace(unsafe, escaped)
}

/** The same, but lines stay lines. */
export function printableLines(text: string): string {
  return text.replace(unsafeButLines, escaped)
}

/** JSON that means the same, and may be written to a terminal. White space stays as it is. */
export function printableJson(json: string): string {
  return json.replace(unsafe, character =>
    character === '\n' || character === '\r' || character === '\t'
      ? character
      : `\\u${hex(character, 4)}`,
  )
}

/** `value` as JSON on one line, safe for a terminal. */
export function jsonLine(value: unknown): string {
  return `${printableJson(JSON.stringify(value))}\n`
}

function escaped(character: string): string {
  const short = shortEscapes.get(character)
  if (short !== undefined) return short
  return character < '\x80' ? `\\x${hex(character, 2)}` : `\\u${hex(character, 4)}`
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0')
}
