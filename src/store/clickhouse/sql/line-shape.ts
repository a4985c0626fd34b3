/** Lines of a pattern, as `match/line-shape.ts` has it: each text at its place behind the one before. */
import type { Bound } from './bound.ts'

/** Of more texts the condition is too long: each has those before it in it. */
export const shapeTextsMax = 12

/** `texts`: as `textsOfShape` returns them. `line`: in SQL; where it is NULL, the condition is. */
export function hasShape(
  texts: readonly string[],
  line: string,
  bound: Bound,
  define = (sql: string) => sql,
): string {
  if (texts.length === 1 && texts[0] === '') return `${line} = ''`
  let end = '0'
  const conditions = [`${line} != ''`]
  for (const [i, text] of texts.entries()) {
    if (text === '') continue
    const at = define(`position(${line}, ${bound.text(text)}, toUInt64(${end} + 1))`)
    conditions.push(i === 0 ? `${at} > 0` : `${at} > ${end} + 1`)
    end = define(`(${at} + ${Buffer.byteLength(text) - 1})`)
  }
  const isBeforeEnd = `${end} < length(${line})`
  conditions.push(texts.at(-1) === '' ? isBeforeEnd : `NOT ${isBeforeEnd}`)
  return `(${conditions.join(' AND ')})`
}
