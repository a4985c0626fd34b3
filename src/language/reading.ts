/**
 * The second half of parsing. The grammar decides the structure of a query from its text alone, and
 * gives a function that makes the tree once a Reading can say what the variables stand for. So a
 * value can never change the structure. The Reading also keeps the bounds that hold over a whole
 * query, and refuses with the place in the text as it was written.
 */

import { limits } from '../limits.ts'
import type { MatchOperator } from '../match/condition.ts'
import { patternCost } from '../match/pattern-cost.ts'
import type { Selector } from './ast.ts'
import { parseDuration } from './duration.ts'
import { QueryFault, shortened } from './fault.ts'
import { parseNumber } from './number-text.ts'
import type { SelectorPlaces } from './places.ts'
import { type Quantity, readQuantity } from './quantity.ts'
import type { Located } from './strings.ts'
import {
  alternatives,
  expandVariables,
  givenValue,
  soleVariable,
  type Variables,
  type VariableValue,
} from './variables.ts'

/** Makes a part of the tree, or throws QueryFault. */
export type Meaning<T> = (reading: Reading) => T

/** Why an expression cannot be taken, in words; undefined when it can. */
export type PatternRefusal = (source: string) => string | undefined

/** A label, text, number or duration as it was written; of a variable its name. */
export interface Leaf extends Located {
  readonly form: 'word' | 'string' | 'variable'
}

/** A selector of the query, where it stands, and how much earlier its records are taken. */
export interface FoundSelector {
  readonly selector: Selector
  readonly places: SelectorPlaces
  readonly offsetMs: number
}

/** What a query may have so many of. */
const counted = {
  terms: { max: limits.queryTermsMax, name: 'matchers and line filters' },
  stages: { max: limits.queryStagesMax, name: 'stages' },
  patterns: { max: limits.queryPatternsMax, name: 'regular expressions' },
  aggregates: { max: limits.queryAggregatesMax, name: 'aggregates' },
  operators: { max: limits.queryOperatorsMax, name: 'operators' },
} as const

type Counted = keyof typeof counted

export class Reading {
  readonly selectors: FoundSelector[] = []
  readonly #variables: Variables
  readonly #refusalOf: PatternRefusal
  #substitutedLength = 0
  #patternCost = 0
  readonly #counts = { terms: 0, stages: 0, patterns: 0, aggregates: 0, operators: 0 }

  constructor(variables: Variables, refusalOf: PatternRefusal) {
    this.#variables = variables
    this.#refusalOf = refusalOf
  }

  /** The text that a label or a string stands for. */
  text(leaf: Leaf): string {
    return this.#expand(leaf).text
  }

  /**
   * What a matcher tests a label with. Where it asks for a variable of several texts, it is one that
   * matches each of them.
   */
  match(operator: MatchOperator, leaf: Leaf): { operator: MatchOperator; value: string } {
    const isPattern = operator === '=~' || operator === '!~'
    if (isPattern || this.#severalOf(leaf) === undefined) {
      return { operator, value: this.term(leaf, isPattern) }
    }
    return { operator: operator === '=' ? '=~' : '!~', value: this.term(leaf, true) }
  }

  /** The texts of a list: a variable of several stands for all of them. */
  terms(leaf: Leaf): readonly string[] {
    const several = this.#severalOf(leaf)
    if (several === undefined) return [this.term(leaf, false)]
    return several.map(text => {
      this.#takeValue(leaf.offset, leaf.value, text)
      return this.term({ ...leaf, form: 'word', value: text }, false)
    })
  }

  /** The text that one matcher or line filter tests with. Checked when it is an expression. */
  term(leaf: Leaf, isPattern: boolean): string {
    this.take('terms', leaf.offset)
    const { text, names } = this.#expand(leaf, isPattern)
    if (!isPattern) return text

    this.#checkPattern(text, leaf.offset, names)
    return text
  }

  /** Takes an expression that is inside a text, as in a template. */
  checkPattern(text: string, offset: number): void {
    this.#checkPattern(text, offset, new Set())
  }

  #checkPattern(text: string, offset: number, names: ReadonlySet<string>): void {
    const { queryPatternCostMax } = limits
    this.take('patterns', offset)
    const refusal = this.#refusalOf(text)
    if (refusal !== undefined) {
      const values = names.size === 0 ? '' : ` with the value of ${[...names].join(', ')}`
      throw new QueryFault('query_regex', offset, `${refusal}, in the string${values}`)
    }
    this.#patternCost += patternCost(text)
    if (this.#patternCost > queryPatternCostMax) {
      const what = `regular expressions of more than ${queryPatternCostMax} instructions in all`
      throw tooLarge(offset, what)
    }
  }

  /** The number that `leaf` says, if it `fits`. `expected`: in words, for the refusal. */
  number(leaf: Leaf, expected: string, fits: (value: number) => boolean): number {
    const value = parseNumber(this.#scalarText(leaf, expected))
    if (value === undefined || !fits(value)) throw this.#unfit(leaf, expected)
    return value
  }

  /** The number, duration or size that `leaf` says. */
  quantity(leaf: Leaf): Quantity {
    const expected = 'a number such as 12, 1.5s or 10KB'
    const text = this.#scalarText(leaf, expected)
    const quantity = readQuantity(text)
    if (quantity === undefined) throw this.#unfit(leaf, expected)
    return { text, unit: quantity.kind, value: quantity.value }
  }

  /** The duration that `leaf` says, in ms: 0…`queryOffsetMsMax`. */
  durationMs(leaf: Leaf): number {
    const expected = 'a duration such as 1h30m'
    const ms = parseDuration(this.#scalarText(leaf, expected))
    if (ms === undefined) throw this.#unfit(leaf, expected)
    if (ms > limits.queryOffsetMsMax) throw this.#unfit(leaf, 'a duration of at most 100y')
    return ms
  }

  /** How far back the records of a point are taken, in ms: 1…`queryOffsetMsMax`. */
  rangeMs(leaf: Leaf): number {
    const ms = this.durationMs(leaf)
    if (ms === 0) throw this.#unfit(leaf, 'a duration of at least 1ms')
    return ms
  }

  /** Counts one more of what a query may have so many of. */
  take(what: Counted, offset: number): void {
    this.#counts[what] += 1
    const { max, name } = counted[what]
    if (this.#counts[what] > max) throw tooLarge(offset, `more than ${max} ${name}`)
  }

  takeSelector(found: FoundSelector): void {
    this.selectors.push(found)
  }

  #expand(leaf: Leaf, isPattern = false): { text: string; names: ReadonlySet<string> } {
    const names = new Set<string>()
    const isAlone = this.#nameOf(leaf) !== undefined
    const take = (name: string, value: VariableValue) => {
      names.add(`$${name}`)
      const text = isPattern ? patternOf(value, isAlone) : this.#single(leaf.offset, name, value)
      this.#takeValue(leaf.offset, name, text)
      return text
    }
    if (leaf.form === 'word') return { text: leaf.value, names }
    if (leaf.form === 'string') {
      return { text: expandVariables(leaf.value, this.#variables, take), names }
    }
    return { text: take(leaf.value, this.#valueOf(leaf, 'a string')), names }
  }

  /** The variable that `leaf` is, and nothing else. */
  #nameOf({ form, value }: Leaf): string | undefined {
    return form === 'variable' ? value : form === 'string' ? soleVariable(value) : undefined
  }

  /** The texts of the variable that `leaf` is, when they are several. */
  #severalOf(leaf: Leaf): readonly string[] | undefined {
    const name = this.#nameOf(leaf)
    const value = name === undefined ? undefined : givenValue(name, this.#variables)
    return typeof value === 'string' || value?.length === 1 ? undefined : value
  }

  /** The one text of a variable, where several make no sense. */
  #single(offset: number, name: string, value: VariableValue): string {
    if (typeof value === 'string') return value
    const [only] = value
    if (value.length === 1) return only!
    const what = `the variable $${name} has ${value.length} values: it stands`
    throw new QueryFault('query_syntax', offset, what, {
      members: { expected: ['a single value'], found: `$${name}` },
      remedy: 'several go with =, !=, =~, !~, |~ and in',
    })
  }

  /** The text of a number or a duration: as written, or the value of a variable. */
  #scalarText(leaf: Leaf, expected: string): string {
    if (leaf.form !== 'variable') return leaf.value
    return this.#single(leaf.offset, leaf.value, this.#valueOf(leaf, expected)).trim()
  }

  #valueOf({ value: name, offset }: Leaf, expected: string): VariableValue {
    const value = givenValue(name, this.#variables)
    if (value !== undefined) return value
    const given = Object.keys(this.#variables).map(other => `$${other}`)
    const what = `the variable $${name} has no value: it stands`
    throw new QueryFault('query_syntax', offset, what, {
      members: { expected: [expected], found: `$${name}` },
      remedy:
        given.length === 0 ? 'no variables are given' : shortened(`given: ${given.join(' ')}`),
    })
  }

  #takeValue(offset: number, name: string, value: string): void {
    this.#substitutedLength += value.length
    if (this.#substitutedLength > limits.queryLengthMax) {
      const what = `the values of variables make more than ${limits.queryLengthMax} characters`
      throw tooLarge(offset, `${what}, with $${name}`)
    }
    if (!value.isWellFormed()) {
      const what = `the value of $${name} holds half of a character; it stands`
      const members = { expected: ['whole characters'], found: `$${name}` }
      throw new QueryFault('query_syntax', offset, what, { members })
    }
  }

  #unfit(leaf: Leaf, expected: string): QueryFault {
    const isVariable = leaf.form === 'variable'
    const found = shortened(this.#scalarText(leaf, expected))
    const origin = isVariable ? `, the value of $${leaf.value},` : ''
    const what = `expected ${expected} but found ${JSON.stringify(found)}${origin}`
    return new QueryFault('query_syntax', leaf.offset, what, {
      members: { expected: [expected], found },
    })
  }
}

/** A text is a part of the expression; of several each is matched as it is. */
function patternOf(value: VariableValue, isAlone: boolean): string {
  if (typeof value === 'string') return value
  const all = alternatives(value)
  return isAlone || value.length === 1 ? all : `(?:${all})`
}

function tooLarge(offset: number, what: string): QueryFault {
  return new QueryFault('query_too_large', offset, what)
}
