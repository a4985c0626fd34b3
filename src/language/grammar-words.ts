/**
 * Queries that are only words, as people type them everywhere: `timeout error "socket hang up" -health
 * status:500 duration:>2s`. Records have all of them, whatever the case, in the message or in any
 * attribute's value, or in the field that is named. `or` stands between alternatives.
 *
 *     words  = { item } { "or" { item } }                      "and" may stand between two items
 *     item   = [ "-" | "not" ] ( string | word | field ":" value )
 *            | field ( ":" comparison | comparison ) quantity
 *     value  = string | word in which "*" stands for any text
 *
 * What begins as a query of the language (`logs`, `{`, `(`, a number, an operation) is none of words. A
 * word has a letter or a digit, and no quotes, brackets, or signs of the language's.
 */

import P from 'parsimmon'
import { levelLabel } from '../record.ts'
import type { ComparisonOperator, Conditions, Matcher, Search, Selector } from './ast.ts'
import { QueryFault } from './fault.ts'
import type { SelectorText } from './grammar-selectors.ts'
import {
  leaf,
  orderOperator,
  placed,
  quantity,
  stringLeaf,
  token,
  variable,
} from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import type { Leaf, Meaning, Reading } from './reading.ts'
import { operations } from './usual-mistakes.ts'

/** What an item asks: a condition on a label, or a text anywhere. */
type Item =
  | { readonly kind: 'matcher'; readonly matcher: Matcher }
  | { readonly kind: 'search'; readonly search: Search }

const operation = `(?:${operations.join('|')})\\s*(?:[(]|$|(?:by|without)\\s*[(])`
const constant = '(?:logs|inf|nan)(?![\\p{L}\\p{M}\\p{N}_])'
const asLanguage = new RegExp(`[-+\\s]*(?:[{(0-9.$]|${constant}|${operation})`, 'iuy')

/** Whether a text begins as a query of the language does, or is empty. */
export function beginsInLanguage(text: string): boolean {
  asLanguage.lastIndex = 0
  return text.trim() === '' || asLanguage.test(text)
}

const wordForm = /(?=\S*?[\p{L}\p{N}])[\p{L}\p{M}\p{N}_.:/@#%&+?\\;-]+(?=\s|$)/u
const valueForm = /[\p{L}\p{M}\p{N}_.:/@#%&+?\\;*-]+(?=\s|$)/u
const fieldForm = /[\p{L}_@][\p{L}\p{M}\p{N}_./@-]*/u

const variableWord = variable.skip(P.lookahead(/\s|$/))
const phrase = stringLeaf.skip(P.lookahead(/\s|$/))

/** A field that is compared, of which the colon is left. `http://…` is a word. */
const fieldBefore = (sign: RegExp) =>
  P.alt(leaf('word', P.regexp(fieldForm)), stringLeaf).skip(P.lookahead(sign))

const joiner = token(P.regexp(/(?:and|AND)(?=\s+\S)/))
const alternation = token(P.regexp(/(?:or|OR)(?=\s)/))

const negation = P.alt(
  P.regexp(/-(?=\S)/).result(true),
  P.regexp(/(?:not|NOT)\s+(?=\S)/).result(true),
).fallback(false)

const inField: P.Parser<(isNegated: boolean) => Meaning<Item>> = P.seqMap(
  fieldBefore(/:(?!\/\/)(?=\S)/).skip(P.string(':')),
  P.alt<Leaf>(phrase, variableWord, leaf('word', P.regexp(valueForm))),
  (field, value) => isNegated => reading => ({
    kind: 'matcher',
    matcher: matcherOf(fieldName(field, reading), value, isNegated, reading),
  }),
)

const compared: P.Parser<(isNegated: boolean) => Meaning<Item>> = P.seqMap(
  fieldBefore(/\s*:?\s*[<>]/).skip(P.regexp(/\s*:?\s*/)),
  orderOperator,
  P.alt(quantity, token(variable)),
  (field, operator, number) => isNegated => reading => {
    if (isNegated) throw negatedComparison(field, operator, number)
    reading.take('terms', field.offset)
    const quantity = reading.quantity(number)
    const matcher: Matcher = { label: fieldName(field, reading), operator, ...quantity }
    return { kind: 'matcher', matcher }
  },
)

const anywhere: P.Parser<(isNegated: boolean) => Meaning<Item>> = P.alt(
  phrase,
  variableWord,
  leaf('word', P.regexp(wordForm)),
).map(text => isNegated => reading => ({
  kind: 'search',
  search: { text: reading.term(text, false), isNegated },
}))

const item: P.Parser<Meaning<Item>> = token(
  P.seqMap(negation, P.alt(compared, inField, anywhere), (isNegated, made) => made(isNegated)),
)

const conditions: P.Parser<Meaning<Conditions>> = P.seqMap(
  P.notFollowedBy(alternation).then(item),
  P.notFollowedBy(alternation).then(joiner.atMost(1)).then(item).many(),
  (first, others) => reading => {
    const items = [first, ...others].map(one => one(reading))
    const matchers = items.flatMap(one => (one.kind === 'matcher' ? one.matcher : []))
    const searches = items.flatMap(one => (one.kind === 'search' ? one.search : []))
    return { matchers, filters: [], ...(searches.length > 0 && { searches }) }
  },
)

/** The whole query. Its conditions have no places of their own. */
export const words: P.Parser<SelectorText> = P.optWhitespace
  .then(placed(P.seq(conditions, alternation.then(conditions).many())).skip(P.eof))
  .map(({ value: [first, others], place }) => reading => {
    const selector: Selector = {
      kind: 'selector',
      ...first(reading),
      ...(others.length > 0 && { alternatives: others.map(one => one(reading)) }),
    }
    const none = { braces: undefined, matchers: [], filters: [], searches: [], stages: [] }
    return { selector, places: { ...place, ...none } }
  })

/** `level` is what most loggers call it; the other names are LogQL's. */
function fieldName(field: Leaf, reading: Reading): string {
  const name = reading.text(field)
  return name === 'level' ? levelLabel : ownName(name)
}

function matcherOf(label: string, value: Leaf, isNegated: boolean, reading: Reading): Matcher {
  const text = reading.term(value, false)
  if (value.form === 'word' && text.includes('*')) {
    if (/^\*+$/.test(text)) return { label, operator: isNegated ? '=' : '!=', value: '' }
    const parts = text.split(/\*+/).map(quotedInPattern)
    return { label, operator: isNegated ? '!~' : '=~', value: `(?is)${parts.join('.*')}` }
  }
  const hasCase = text.toLowerCase() !== text.toUpperCase()
  if (hasCase && label !== levelLabel) {
    return { label, operator: isNegated ? '!~' : '=~', value: `(?i)${quotedInPattern(text)}` }
  }
  // Levels are kept in lower case.
  return { label, operator: isNegated ? '!=' : '=', value: text.toLowerCase() }
}

function quotedInPattern(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}

const opposites: Readonly<Record<ComparisonOperator, string>> = {
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  '==': '!=',
  '!=': '=',
}

/** Whether records without the field are meant, too, nobody could tell. */
function negatedComparison(field: Leaf, operator: ComparisonOperator, number: Leaf): QueryFault {
  const found = `${field.value}:${operator}${number.value}`
  const what = `expected a comparison without a "not" or "-" before it but found "${found}"`
  return new QueryFault('query_syntax', field.offset, what, {
    members: { expected: ['a comparison'], found },
    remedy: `write ${field.value}:${opposites[operator]}${number.value}`,
  })
}
