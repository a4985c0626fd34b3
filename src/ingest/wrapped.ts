/** Events in an object that does nothing but hold them: `{"logs":[…]}`. */

import { byte, skipSpace } from './bytes.ts'
import type { JsonReader } from './json.ts'
import type { Range } from './otlp/wire.ts'

const opening = [Buffer.from('{'), Buffer.from('"logs"'), Buffer.from(':')]

/** Where the array stands; undefined when the body is anything else, or the array is torn. */
export function findWrapped({ body, scanner, start, end }: JsonReader): Range | undefined {
  let offset = start
  for (const token of opening) {
    const tokenEnd = offset + token.length
    if (tokenEnd > end || body.compare(token, 0, token.length, offset, tokenEnd) !== 0) {
      return undefined
    }
    offset = skipSpace(body, tokenEnd, end)
  }
  if (body[offset] !== byte.bracketOpen) return undefined
  scanner.scan(offset, end)
  const closing = skipSpace(body, scanner.end, end)
  const isAll = scanner.isClosed && body[closing] === byte.braceClose && closing + 1 === end
  return isAll ? { start: offset, end: scanner.end } : undefined
}
