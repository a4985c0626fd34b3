/**
 * Lines of JSON: whether a line is an object, ClickHouse's parser tells; where a member of it is, and what it
 * is written as, expressions (`json-forms.ts`). Unknown is what they leave open: a key that one object has
 * twice, and what is nested deeper than they are.
 */
import type { Bound } from '../bound.ts'
import type { Definitions } from './definitions.ts'
import {
  blank,
  keyOf,
  levelsMax,
  objectBegins,
  type StepForm,
  scalarAhead,
  shallowLine,
  sqlOf,
  twiceAt,
  upTo,
  valueAhead,
} from './json-forms.ts'
import { anyOf, whereKnown } from './unknown.ts'

/** As `query/stages/json.ts` has it. */
const depthMax = 128
/** A sign of a key, as it is or escaped: what is escaped otherwise than by its number is no letter. */
export const sign = '(?:[^A-Za-z0-9\\\\"]|\\\\.)'
/** Keys that may be the label of an error, by themselves or with those around them: it would hide one. */
const likeError = `"(?:${sign})?"${blank}:|"${sign}{1,2}error`
/** Any character of a key may be written as its number. */
const numberedInKey = `\\\\u(?:[^"\\\\]|\\\\.)*"${blank}:`
/** Half a character is no text. */
const halfCharacter = '\\\\u[dD][89a-fA-F]'

/** Whether a line is an object; unknown where ours and ClickHouse's reading may differ. */
export function isObjectOf(line: string, defined: Definitions): string {
  const { bound } = defined
  // Most lines have no characters by their numbers.
  const numbered = defined.define(`if(position(${line}, '\\\\u') > 0, ${line}, '')`)
  const isOdd = [
    `${bracketsOf(line, defined)} > ${depthMax}`,
    `match(${line}, ${bound.text(likeError)})`,
    ...[numberedInKey, halfCharacter].map(form => `match(${numbered}, ${bound.text(form)})`),
  ]
  return defined.define(`multiIf(isNull(${line}), NULL, NOT match(${line}, ${sqlOf(objectBegins, bound)}), 0,
    ${anyOf(isOdd)}, NULL, isValidJSON(assumeNotNull(${line})), 1, NULL)`)
}

/** How many objects and arrays begin in a line, at most. */
function bracketsOf(line: string, defined: Definitions): string {
  const counts = ['{', '['].map(sign => `countSubstrings(ifNull(${line}, ''), '${sign}')`)
  return defined.define(counts.join(' + '))
}

/** What is behind one of some paths. All are of a line that is an object. */
export interface Behind {
  /** Whether there is something; NULL where nobody knows where. */
  readonly isThere: string
  /** The line from there on. */
  readonly rest: string
}

/**
 * What one of some paths leads to.
 * `leaves`: forms of keys, without one of which there is nothing. `others`: forms of keys around them of
 * which it matters, too, whether they are there twice.
 */
export function behindPaths(
  paths: readonly (readonly StepForm[])[],
  line: string,
  {
    leaves,
    others = [],
  }: { readonly leaves: readonly string[]; readonly others?: readonly string[] },
  defined: Definitions,
): Behind {
  const { bound } = defined
  const text = defined.define(`ifNull(${line}, '')`)
  const countOf = (forms: readonly string[]) =>
    defined.define(`countMatches(${text}, ${sqlOf(keyOf(forms), bound)})`)
  const groups = [leaves, ...others.map(other => [other])].filter(forms => forms.length > 0)
  const isRepeated = groups.map(forms => `${countOf(forms)} > 1`)
  // Of most lines nothing more has to be asked.
  const repeated = defined.define(`if(${anyOf(['0', ...isRepeated])}, ${text}, '')`)
  const isTwice = twiceOf(paths, bound).map(twice => `match(${repeated}, ${twice})`)
  const rests = paths.map(path => {
    const rest = defined.define(`replaceRegexpOne(${text}, ${sqlOf(upTo(path), bound)}, '')`)
    // An item is asked for behind the last one of a list.
    const isFound = `length(${rest}) < length(${text}) AND NOT startsWith(${rest}, ']')`
    return { rest, isFound: defined.define(isFound) }
  })
  const mayBeDeep = `${bracketsOf(line, defined)} > ${levelsMax}`
  const deep = defined.define(`if(${mayBeDeep}, ${text}, '')`)
  const isDeep = defined.define(
    `(${mayBeDeep} AND NOT match(${deep}, ${sqlOf(shallowLine, bound)}))`,
  )
  const found = rests.map(({ isFound }) => isFound)
  const doubts = [isDeep, ...isTwice, ...(found.length > 1 ? [`${found.join(' + ')} > 1`] : [])]
  const isNowhere = leaves.length === 0 ? '0' : `${countOf(leaves)} = 0`
  const isThere = `multiIf(isNull(${line}), NULL, ${isNowhere}, 0, ${anyOf(doubts)}, NULL, ${anyOf(found)})`
  const branches = rests.map(({ isFound, rest }) => `${isFound}, ${rest}`)
  return {
    isThere: defined.define(isThere),
    rest: defined.define(`multiIf(${branches.join(', ')}, '')`),
  }
}

/** That an object on a way has a key twice. */
function twiceOf(paths: readonly (readonly StepForm[])[], bound: Bound): readonly string[] {
  const ways = paths.flatMap(path => path.map((_, i) => path.slice(0, i + 1)))
  const ofKeys = ways.filter(way => typeof way.at(-1) === 'string')
  return [...new Set(ofKeys.map(way => sqlOf(twiceAt(way), bound)))]
}

/** The text of a number, word or string, as it is written; empty for none of these. */
export function scalarAt(rest: string, defined: Definitions): string {
  return defined.define(`extract(${rest}, ${sqlOf(scalarAhead, defined.bound)})`)
}

/** The same with objects and arrays. */
export function writtenAt(rest: string, defined: Definitions): string {
  return defined.define(`extract(${rest}, ${sqlOf(valueAhead, defined.bound)})`)
}

/** What a value says that is written so: a string without its signs. */
export function saidBy(written: string, defined: Definitions): string {
  const inner = `substring(${written}, 2, length(${written}) - 2)`
  return defined.define(`multiIf(NOT startsWith(${written}, '"'), ${written},
    position(${written}, '\\\\') = 0, ${inner}, JSONExtractString(${written}))`)
}

/** An error where a line that is to be an object, or JSON, is none. */
export function failedUnless(isJson: string, error: string, defined: Definitions): string {
  const failed = `if(${isJson} OR ${error} != '', ${error}, 'JSONParserErr')`
  return defined.define(whereKnown([isJson, error], failed))
}
