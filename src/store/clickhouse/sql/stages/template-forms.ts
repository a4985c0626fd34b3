/** Functions of templates whose first operand says what is done to the others: forms and expressions. */
import { printfVerb } from '../../../../query/stages/render.ts'
import { isReadAlike } from '../expression.ts'
import type { Definitions } from './definitions.ts'
import { fixed } from './template-numbers.ts'
import { padded, type SqlFunction, truncated } from './template-texts.ts'
import {
  isTrue,
  madeBytesMax,
  madeNumber,
  madeText,
  numberOfValue,
  textOfValue,
  type Value,
  wholeOfValue,
} from './template-values.ts'

const printf: SqlFunction = ([form, ...values], defined) => {
  if (form!.given === undefined) return undefined
  const parts: string[] = []
  let at = 0
  let next = 0
  for (const found of form!.given.matchAll(printfVerb)) {
    parts.push(defined.bound.text(form!.given.slice(at, found.index)))
    at = found.index + found[0].length
    if (found[4] === '%') {
      parts.push("'%'")
      continue
    }
    const value = values[next++]
    const shown = value && shownBy(found, value, defined)
    if (shown === undefined) return undefined
    parts.push(shown)
  }
  parts.push(defined.bound.text(form!.given.slice(at)))
  return madeText(`concat('', ${parts.join(', ')})`, defined)
}

function shownBy(
  [, flags = '', width = '', digits, letter]: RegExpExecArray,
  value: Value,
  defined: Definitions,
): string | undefined {
  const text = plainlyShown(letter!, digits, value, defined)
  if (text === undefined) return undefined
  const shown = defined.define(text)
  if (flags.includes('-')) return defined.define(padded(shown, Number(width), 'right'))
  if (!flags.includes('0')) return defined.define(padded(shown, Number(width), 'left'))
  const filled = padded(shown, Number(width), 'left', '0')
  if (letter !== 'd' && letter !== 'f') return defined.define(filled)
  // A sign stands before the zeros of a number.
  const unsigned = defined.define(`substring(${shown}, 2)`)
  const signed = `concat('-', ${padded(unsigned, Math.max(0, Number(width) - 1), 'left', '0')})`
  return defined.define(`if(startsWith(${shown}, '-'), ${signed}, ${filled})`)
}

function plainlyShown(
  letter: string,
  digits: string | undefined,
  value: Value,
  defined: Definitions,
): string | undefined {
  switch (letter) {
    case 's':
    case 'v': {
      const text = textOfValue(value, defined)
      return digits === undefined ? text : truncated(text, Number(digits))
    }
    case 'd':
      return textOfValue({ kind: 'number', sql: wholeOfValue(value, defined) }, defined)
    case 'x':
      return `lower(hex(${textOfValue(value, defined)}))`
    case 'q':
      return asJson(textOfValue(value, defined), defined)
    case 'f': {
      const count = Number(digits ?? 6)
      return count > fractionMax ? undefined : fixed(numberOfValue(value, defined), count)
    }
    case 't':
      return textOfValue({ kind: 'boolean', sql: isTrue(value, defined) }, defined)
    default:
      return undefined
  }
}

/** More digits of a fraction are written by us. */
const fractionMax = 60

/** The escapes of JSON that have no number. */
const escapes = [
  ...[`'\\\\', '\\\\\\\\'`, `'"', '\\\\"'`, `'\\n', '\\\\n'`, `'\\r', '\\\\r'`, `'\\t', '\\\\t'`],
  ...[`'\\b', '\\\\b'`, `'\\f', '\\\\f'`],
]

/** As JSON writes a text. */
function asJson(text: string, defined: Definitions): string {
  const written = escapes.reduce((made, pair) => `replaceAll(${made}, ${pair})`, text)
  const isNumbered = `match(${text}, '[\\\\x00-\\\\x07\\\\x0b\\\\x0e-\\\\x1f]')`
  return defined.define(`if(${isNumbered}, NULL, concat('"', ${written}, '"'))`)
}

/** Signs and classes of them, each once or more: what matches one is not empty, and begins at one place. */
const plainExpression =
  /^(?:(?:\[\^?[^\]\\[]+\]|\\[dwsDWS.]|[A-Za-z0-9 _=:;,<>@#%&"'/-])(?:\+|\{[1-9][0-9]?\})?)+$/

function expressionOf({ given }: Value): string | undefined {
  if (given === undefined || !plainExpression.test(given) || !isReadAlike(given)) return undefined
  return `(?-s:${given})`
}

const count: SqlFunction = ([expression, s], defined) => {
  const source = expressionOf(expression!)
  if (source === undefined) return undefined
  const text = textOfValue(s!, defined)
  const counted = `countMatches(ifNull(${text}, ''), ${defined.bound.text(source)})`
  return madeNumber(`if(isNull(${text}), NULL, toFloat64(${counted}))`, defined)
}

/** `areGroups`: whether `$` in the text that comes instead means a group of the match. */
const replaced =
  (areGroups: boolean): SqlFunction =>
  ([expression, s, by], defined) => {
    const source = expressionOf(expression!)
    const instead = by!.given
    if (source === undefined || instead === undefined) return undefined
    if (areGroups && instead.includes('$')) return undefined
    const text = textOfValue(s!, defined)
    const form = defined.bound.text(source)
    const bytes = `length(${text}) + countMatches(ifNull(${text}, ''), ${form}) * ${Buffer.byteLength(instead)}`
    const fits = defined.define(`ifNull(${bytes} <= ${madeBytesMax}, 0)`)
    const short = defined.define(`if(${fits}, ${text}, '')`)
    const written = defined.bound.text(instead.replaceAll('\\', '\\\\'))
    return madeText(`if(${fits}, replaceRegexpAll(${short}, ${form}, ${written}), NULL)`, defined)
  }

export const formFunctions: Readonly<Record<string, SqlFunction>> = {
  ...{ printf, count },
  ...{ regexReplaceAll: replaced(true), regexReplaceAllLiteral: replaced(false) },
}
