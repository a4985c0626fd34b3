/** For texts that may hold anything. */
import fc from 'fast-check'

const firstSurrogate = 0xd800
const surrogateCount = 0x800
const last = 0x10ffff

/**
 * Every code point that a text can have, as the unit of `fc.string`. It makes the same texts as fast-check's own unit
 * `binary`, which begins with a table of all of them: 1.5 s of a core and 100 MB in each process.
 */
export const anyCodePoint: fc.Arbitrary<string> = fc
  .nat({ max: last - surrogateCount })
  .map(
    place => String.fromCodePoint(place < firstSurrogate ? place : place + surrogateCount),
    placeOf,
  )

/** @throws Error for what is none of them. */
function placeOf(text: unknown): number {
  const point = typeof text === 'string' ? text.codePointAt(0) : undefined
  if (point === undefined || String.fromCodePoint(point) !== text) throw new Error('not one')
  if (point < firstSurrogate) return point
  if (point < firstSurrogate + surrogateCount) throw new Error('half of one')
  return point - surrogateCount
}
