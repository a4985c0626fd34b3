/**
 * Regular expressions: RE2's language, matched in time proportional to the text.
 *
 * `re2js` runs an expression as an automaton, so none can stall the service by backtracking. What
 * remains to be bounded is the size of the automaton: instructions by `patternCost`, before
 * compiling, and the states that it collects while matching, here. Where an expression has more
 * states than it may keep, they are bits (`bit-automaton.ts`). Simple expressions on texts
 * that are not long are left to JavaScript's own engine, within a bound: see `native-pattern.ts`.
 * In proportion is still long for long texts, so a matcher ends when its task's turn does: see `turn.ts`.
 *
 * Texts are matched as strings. Matching UTF-8 bytes in place was measured and is slower (0.3 to
 * 1 µs a message against 0.1 to 0.7 µs), even when the strings have to be decoded first.
 */

import { type Matcher, RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { beforeMatch, lookAtTurn } from '../threads/turn.ts'
import { type InAnyCase, otherLetters, readInAnyCase } from './any-case.ts'
import { BitAutomaton, type PatternInput } from './bit-automaton.ts'
import { nativePattern } from './native-pattern.ts'
import { patternCost } from './pattern-cost.ts'
import { TableOfStates } from './state-table.ts'

/** `anchored`: the whole text must match, newlines included. `anywhere`: any part of it. */
export type PatternForm = 'anchored' | 'anywhere'

/** Numbers that lie between two others, and match; or that lie there, and do not, as all others do. */
export interface MatchingNumbers {
  readonly isInside: boolean
  /** Whether a number is less than all between. */
  isBelow(value: number): boolean
  /** Whether a number is more than all between. */
  isAbove(value: number): boolean
}

/** A test of texts: a regular expression, or what is told in another way. */
export interface Pattern {
  /** An expression whose literals each text that matches has; empty for what has none. */
  readonly source: string
  /** Each text that is asked for has them, with neither letters nor digits of ASCII beside them. */
  readonly words?: readonly string[]
  /** For a text that is only looked for, in any case. Absent: it is more, or less, than that. */
  readonly inAnyCase?: InAnyCase
  /** Throws TurnOver within a turn that is over. */
  matches(text: string): boolean
  /** The same as a table of states, for who has texts in parts. Absent: it is no expression. */
  readonly states?: TableOfStates
  /** The same for texts that write decimal numbers, without these texts. Absent: make them. */
  readonly numbers?: MatchingNumbers
  /** False when the text of no number from `least` to `greatest` matches. Absent: unknown. */
  mayMatchNumbers?(least: number, greatest: number): boolean
}

/** Steps of the slow engine, 7 to 15 ns each, between two looks at the clock. */
const slowStepsPerLook = 2 ** 14

/** Texts for which an expression does without its states, at most, after it had too many. */
const textsWithoutStatesMax = 1_024

/**
 * Makes a matcher for `source`. The matcher keeps states between texts: make it once per scan.
 * @throws ProblemError `query_regex`, saying what RE2 does not have or what is wrong.
 */
export function compilePattern(source: string, form: PatternForm): Pattern {
  const expression = compileOrRefuse(source)
  if (typeof expression === 'string') {
    throw new ProblemError('query_regex', expression)
  }
  boundStates(expression)
  matchWithBits(expression, form)
  lookWhileMatching(expression)
  const matchesAsRe2 =
    form === 'anchored'
      ? (text: string) => expression.testExact(text)
      : (text: string) => expression.test(text)
  const inAnyCase = form === 'anywhere' ? readInAnyCase(source) : undefined
  if (inAnyCase !== undefined) {
    return {
      source,
      inAnyCase,
      matches: text => {
        beforeMatch(text.length)
        return otherLetters.test(text)
          ? matchesAsRe2(text)
          : text.toLowerCase().includes(inAnyCase.text)
      },
    }
  }
  const states = new TableOfStates(expression, form)
  const native = nativePattern(source, form)
  if (native === undefined) {
    return {
      source,
      states,
      matches: text => {
        beforeMatch(text.length)
        return matchesAsRe2(text)
      },
    }
  }
  const nativeExpression = new RegExp(native.source, 'u')
  const { textLengthMax } = native
  return {
    source,
    states,
    matches: text => {
      beforeMatch(text.length)
      return text.length <= textLengthMax ? nativeExpression.test(text) : matchesAsRe2(text)
    },
  }
}

/**
 * An expression of which the groups are wanted, too. Call `beforeMatch` for each text: its matcher throws
 * TurnOver only in the middle of long ones. Throws RE2JSException for what `patternRefusal` refuses.
 */
export function compileCapturing(source: string): RE2JS {
  const expression = RE2JS.compile(source)
  boundStates(expression)
  lookWhileMatching(expression)
  return expression
}

/** Names go up to the last letter or digit of any script. */
const groupForm = /\$(?:\{([\p{L}\p{Nd}_]+)\}|([\p{L}\p{Nd}_]+)|\$)/gu

/** As Go has it: `$1`, `$name`, `${name}` for what a group has matched, empty for none; `$$` for `$`. */
export function expandGroups(by: string, matcher: Matcher): string {
  return by.replaceAll(groupForm, (written, inBraces?: string, bare?: string) => {
    const name = inBraces ?? bare
    if (name === undefined) return written === '$$' ? '$' : written
    if (!/^[0-9]+$/.test(name)) {
      return Object.hasOwn(matcher.namedGroups, name) ? (matcher.group(name) ?? '') : ''
    }
    return Number(name) <= matcher.groupCount() ? (matcher.group(Number(name)) ?? '') : ''
  })
}

/** What makes `source` unusable, in words, or undefined when it can be compiled. */
export function patternRefusal(source: string): string | undefined {
  const expression = compileOrRefuse(source)
  return typeof expression === 'string' ? expression : undefined
}

function compileOrRefuse(source: string): RE2JS | string {
  const cost = patternCost(source)
  if (cost > limits.queryPatternCostMax) {
    return `the regular expression is too large: ${cost} instructions, at most ${limits.queryPatternCostMax}`
  }
  try {
    return RE2JS.compile(source)
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) {
      return refusalInWords(error.error, error.input ?? '')
    }
    if (error instanceof RE2JSException) {
      return `the regular expression cannot be compiled: ${error.message}`
    }
    throw error
  }
}

/** RE2JS allows 8 MiB of states per expression, which a query with a hundred of them could fill. */
function boundStates(expression: RE2JS): void {
  const { patternStateBytes, patternStateBytesPerInstruction } = limits
  const bytes = patternStateBytes + patternStateBytesPerInstruction * expression.programSize()
  const { dfa } = expression.re2()
  dfa.stateBudget = bytes // What it has after each time it forgets its states.
  dfa.memBudget = bytes // What is left of that now.
}

/**
 * Lets bits take over where RE2JS gives its states up because there are too many of them. Collecting
 * these for nothing takes milliseconds, so the next texts do without; ever more of them each time.
 */
function matchWithBits(expression: RE2JS, form: PatternForm): void {
  const re2 = expression.re2()
  const { dfa } = re2
  const matchByStates = dfa.match.bind(dfa)
  let bits: BitAutomaton | undefined
  let withoutStates = 0
  let withoutStatesNext = 1
  dfa.match = (input: PatternInput, offset: number, anchor: number) => {
    if (withoutStates === 0) {
      const isMatch: boolean | null = matchByStates(input, offset, anchor)
      if (isMatch !== null) return isMatch
      withoutStates = withoutStatesNext
      withoutStatesNext = Math.min(2 * withoutStatesNext, textsWithoutStatesMax)
    } else {
      withoutStates--
    }
    bits ??= new BitAutomaton(re2)
    return bits.matches(input, form) ?? null // Null: the slow engine has to do it.
  }
}

/**
 * Lets a turn end in the middle of a long text. While RE2JS finds new states it throws the old ones
 * away now and then, after some milliseconds; its slow engine takes a step per instruction and character.
 */
function lookWhileMatching(expression: RE2JS): void {
  const re2 = expression.re2()
  const { dfa } = re2
  const resetCache = dfa.resetCache.bind(dfa)
  dfa.resetCache = state => {
    lookAtTurn()
    return resetCache(state)
  }
  const charactersPerLook = Math.ceil(slowStepsPerLook / expression.programSize())
  const executeSlowly = re2.doExecuteNFA.bind(re2)
  re2.doExecuteNFA = (input, ...more) => {
    const step = input.step.bind(input)
    let left = charactersPerLook
    input.step = (offset: number) => {
      if (--left < 0) {
        left = charactersPerLook
        lookAtTurn()
      }
      return step(offset)
    }
    return executeSlowly(input, ...more)
  }
}

/** What Perl's language has and RE2's has not, by how it begins. */
const missing: readonly (readonly [RegExp, string])[] = [
  [/^\(\?<?[=!]/, 'look-around, such as (?=…), (?!…), (?<=…) and (?<!…)'],
  [/^\\[1-9k]|^\(\?P$/, 'back-references, such as \\1'],
  [/^\(\?>/, 'atomic groups, (?>…)'],
  [/^\(\?\(/, 'conditions, (?(…)…)'],
  [/^\(\?#/, 'comments, (?#…)'],
  [/^\(\?[R0-9&+]/, 'recursion'],
  [/^[*+?}]\+/, 'possessive repetition, such as a++'],
]

function refusalInWords(error: string, part: string): string {
  for (const [beginning, feature] of missing) {
    if (beginning.test(part)) {
      return `the regular expression uses what RE2's language does not have: ${feature}`
    }
  }
  if (part === '\\Z') {
    return 'the regular expression has the unknown escape \\Z; the end of the text is \\z'
  }
  if (error === 'invalid repeat count') {
    return `the regular expression repeats more than 1000 times, or backwards: "${part}"`
  }
  const shown = [...part.slice(0, 80)].slice(0, 40).join('')
  return `the regular expression is not valid: ${error}${shown === '' ? '' : `: "${shown}"`}`
}
