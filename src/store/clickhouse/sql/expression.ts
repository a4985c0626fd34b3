/**
 * Regular expressions, which both sides run as RE2: ClickHouse's lets `.` match line feeds, ours does not.
 * What their versions may read differently (letters of Unicode) is left to ours.
 */
import { literalChoices } from '../../../match/literals.ts'
import type { PatternForm } from '../../../match/pattern.ts'
import type { Bound } from './bound.ts'
import { all, any, atLeast, exactly, maybe, type Truth } from './truth.ts'

/** What is space to JavaScript, for a class of signs; RE2 knows less. */
export const spaces =
  '\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'

/** An expression of ours as a statement has it. */
export function literal(source: string): string {
  return `'${source.replaceAll('\\', '\\\\')}'`
}

/** What both read alike: no classes of Unicode, no texts in `\Q`, no characters by their numbers. */
const knownEscapes = /^(?:[^\\]|\\[dDwWsSbBnrtfvaAz]|\\[^A-Za-z0-9\u0080-\uffff])*$/s
/** Letters beyond ASCII in any case, of which each version of Unicode has more. */
const ignoresCase = /\(\?[a-zA-Z]*i/
const beyondAscii = /[\u0080-\uffff]/

/** Whether ClickHouse reads an expression as we do, once it is told that `.` is no line feed. */
export function isReadAlike(source: string): boolean {
  return knownEscapes.test(source) && !(ignoresCase.test(source) && beyondAscii.test(source))
}

/**
 * Of what ClickHouse takes signs for a text that must be there: names of groups with signs in them, and
 * classes that begin with `]`.
 */
const isMisread = /\(\?P?<|\[\^?\]/

/** As ClickHouse is told it; no text must be there where one half of it never matches. */
export function writtenThere(source: string, form: PatternForm = 'anywhere'): string {
  const whole = form === 'anchored' ? `\\A(?-s:${source})\\z` : `(?-s:${source})`
  return isMisread.test(source) ? `${whole}|[^\\s\\S]` : whole
}

/** A text matches the expression, which can be compiled. `text`: in SQL. */
export function matchesExpression(
  text: string,
  source: string,
  form: PatternForm,
  bound: Bound,
): Truth {
  if (!isReadAlike(source)) return hasLiteralsOf(text, source, bound)
  return exactly(`match(${text}, ${bound.text(writtenThere(source, form))})`)
}

/** A text has the literals without which the expression does not match. `text`: in SQL. */
export function hasLiteralsOf(text: string, source: string, bound: Bound): Truth {
  const choices = literalChoices(source)
  const has = (literal: string) => atLeast(`position(${text}, ${bound.text(literal)}) > 0`)
  if (choices.some(literals => literals.length === 0)) return maybe
  return any(choices.map(literals => all(literals.map(has))))
}
