/** A text looked for in any case of its letters, in the message and in every attribute's value. */
import type { Search } from '../../../language/ast.ts'
import type { Bound } from './bound.ts'
import { any, atLeast, exactly, not, type Truth } from './truth.ts'

export function searchHolds({ text, isNegated }: Search, bound: Bound): Truth {
  const folded = text.toLowerCase()
  const runs = folded.match(/[^\u0080-\uffff]+/g) ?? []
  const isAscii = runs.length === 0 ? folded === '' : runs[0] === folded
  // What JavaScript makes of letters beyond ASCII is looked at by us, where the rest of the text is found.
  const wanted = isAscii ? folded : longest(runs)
  const inBody = containsInAnyCase('Body', wanted, bound)
  const inValue = containsInAnyCase('value', wanted, bound)
  const inValues = `arrayExists(value -> ${inValue}, mapValues(LogAttributes))`
  const found = any([exactly(inBody), exactly(inValues)])
  if (!isAscii) return isNegated || wanted === '' ? atLeast('1') : atLeast(found.sql)
  return isNegated ? not(found) : found
}

/**
 * `wanted`: ASCII in lower case. Two letters beyond ASCII are lower cased to its letters: the sign for Kelvin
 * to k, and a dotted capital I to i with a dot behind it, which no text of ASCII goes on with.
 */
function containsInAnyCase(text: string, wanted: string, bound: Bound): string {
  const plainly = `positionCaseInsensitive(${text}, ${bound.text(wanted)}) > 0`
  const strangers = [
    ...(wanted.includes('k') ? ['\u212a'] : []),
    ...(wanted.endsWith('i') ? ['\u0130'] : []),
  ]
  if (strangers.length === 0) return plainly
  const has = strangers.map(letter => `position(${text}, ${bound.text(letter)}) > 0`)
  const matches = `match(${text}, ${bound.text(expressionOf(wanted))})`
  return `(${plainly} OR ((${has.join(' OR ')}) AND ${matches}))`
}

function expressionOf(wanted: string): string {
  const letters = [...wanted].map((letter, i) => {
    if (letter === 'k') return '[kK\u212a]'
    if (letter === 'i' && i === wanted.length - 1) return '[iI\u0130]'
    if (/[a-z]/.test(letter)) return `[${letter}${letter.toUpperCase()}]`
    return letter.replace(/[\\.+*?()|[\]{}^$]/, '\\$&')
  })
  return letters.join('')
}

function longest(texts: readonly string[]): string {
  return texts.reduce((best, text) => (text.length > best.length ? text : best), '')
}
