/** The words of the query language: what is, or may be, between two white spaces. */

import P from 'parsimmon'
import { limits } from '../limits.ts'
import { readIpRange } from '../match/ip-range.ts'
import type { Grouping } from './ast.ts'
import { QueryFault, shortened } from './fault.ts'
import { unsignedNumber } from './number-text.ts'
import type { Place } from './places.ts'
import type { Leaf, Meaning } from './reading.ts'
import { quoted } from './strings.ts'
import { variableForm } from './variables.ts'

/** Takes the white space after it, so that errors point at the next token. */
export const token = <T>(parser: P.Parser<T>): P.Parser<T> => parser.skip(P.optWhitespace)

export const symbol = (text: string) => token(P.string(text)).desc(`"${text}"`)

/** What a keyword must not go on with. One expression for all of them: V8 takes 0.3 ms to read it. */
const wordGoesOn = /[\p{L}\p{M}\p{N}_]/uy

export const keyword = <T extends string>(word: T): P.Parser<T> =>
  token(
    P((input, offset) => {
      wordGoesOn.lastIndex = offset + word.length
      return input.startsWith(word, offset) && !wordGoesOn.test(input)
        ? P.makeSuccess(offset + word.length, word)
        : P.makeFailure(offset, word)
    }),
  ).desc(`"${word}"`)

/** Not the beginning of a longer operator: `==` is reported as such, not as a stray `=`. */
export const operator = <T extends string>(text: T): P.Parser<T> =>
  token(P.regexp(new RegExp(`${text.replace('|', '\\|')}(?![=~])`)))
    .desc(`"${text}"`)
    .result(text)

/** Where the next token begins. Not `P.index`, which would look for the line and the column too. */
export const here: P.Parser<number> = P((_, offset) => P.makeSuccess(offset, offset))

/** What a parser has read, and where. */
export interface Placed<T> {
  readonly value: T
  readonly place: Place
}

export const placed = <T>(parser: P.Parser<T>): P.Parser<Placed<T>> =>
  P.seqMap(here, parser, here, (from, value, to) => ({ value, place: { from, to } }))

export const leaf = (form: Leaf['form'], parser: P.Parser<string>): P.Parser<Leaf> =>
  P.seqMap(here, parser, (offset, value) => ({ form, value, offset }))

/** Without the white space after it. */
export const variable = leaf(
  'variable',
  P.regexp(new RegExp(`(?:${variableForm.source})`, 'u')).map(written =>
    written.replace(/^\$\{?|\}$/g, ''),
  ),
)

/** Without the white space behind it. */
export const stringLeaf: P.Parser<Leaf> = quoted.map(({ value, offset }) => ({
  form: 'string',
  value,
  offset,
}))

export const string = token(P.alt(stringLeaf, variable)).desc('a string')

const bareLabelForm = leaf('word', P.regexp(/[\p{L}\p{M}\p{N}_.:/-]+/u))

/** A label without quotes, and no variable. */
export const bareLabel = token(bareLabelForm).desc('a label')

export const label = token(P.alt(bareLabelForm, stringLeaf, variable)).desc('a label')

/** A number without a sign. */
export const number = token(P.alt(leaf('word', P.regexp(unsignedNumber)), variable)).desc(
  'a number',
)

/** A number with or without a unit, in whatever form; `Reading` says what is wrong with it. */
export const quantity: P.Parser<Leaf> = token(
  leaf('word', P.regexp(/[-+]?(?:[0-9]|[.][0-9])(?:[eE][-+][0-9]|[\p{L}0-9.])*/u)),
).desc('a number')

/** Comparisons of quantities that are none of texts. */
export const orderOperator = token(
  P.regexp(/[<>]=?(?![=~])/) as P.Parser<'<' | '>' | '<=' | '>='>,
).desc('">"')

/** Any word that begins as a duration does; `Reading` says what is wrong with it. */
export const duration = token(
  P.alt(leaf('word', P.regexp(/[0-9][\p{L}\p{M}\p{N}_.]*/u)), variable),
).desc('a duration')

/** `ip("192.168.4.5/16")`: the string. */
export const address: P.Parser<Leaf> = token(P.regexp(/ip(?=\s*\()/))
  .then(string.wrap(token(P.string('(')), token(P.string(')'))))
  .desc('a string')

/** The addresses that it says. Throws QueryFault. */
export function addressesIn(leaf: Leaf): Meaning<string> {
  return reading => {
    const text = reading.term(leaf, false)
    if (readIpRange(text) !== undefined) return text
    const expected = 'an address, two with - between them, or one with /bits'
    const what = `expected ${expected} but found ${JSON.stringify(shortened(text))}`
    throw new QueryFault('query_syntax', leaf.offset, what, {
      members: { expected: [expected], found: shortened(text) },
      remedy: 'as in ip("192.168.4.5"), ip("192.168.4.5-192.168.4.20"), ip("192.168.4.5/16")',
    })
  }
}

/** One item or more, with commas between them, and one more at the end if you like. */
export const listOf = <T>(item: P.Parser<T>): P.Parser<T[]> =>
  item.sepBy1(symbol(',')).skip(symbol(',').atMost(1))

export const inParentheses = <T>(inner: P.Parser<T>): P.Parser<T> =>
  inner.wrap(symbol('('), symbol(')'))

/** A grouping, and where it is. */
export interface GroupingText {
  readonly mode: Grouping['mode']
  readonly offset: number
  readonly labels: Meaning<readonly string[]>
}

const labelsOf = inParentheses(listOf(label)).map((labels): Meaning<readonly string[]> => {
  const superfluous = labels[limits.queryGroupLabelsMax]
  if (superfluous !== undefined) {
    const what = `more than ${limits.queryGroupLabelsMax} labels to group by`
    throw new QueryFault('query_too_large', superfluous.offset, what)
  }
  // A label that appears twice groups no further.
  return reading => [...new Set(labels.map(label => reading.text(label)))]
})

/** Described as `by` in both forms: a list of expected words is long enough. */
export const grouping: P.Parser<GroupingText> = P.seqMap(
  here,
  P.alt(keyword('by'), keyword('without').desc('"by"')),
  labelsOf,
  (offset, mode, labels) => ({ mode, offset, labels }),
)
