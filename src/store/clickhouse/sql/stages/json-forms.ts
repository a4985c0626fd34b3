/**
 * The grammar of JSON as expressions of RE2, for lines that are known to be JSON: they say where a member
 * is, and what it is written as. All are without groups, so that RE2 never goes back in a line. They are
 * long: what is ours of them stands in the statement itself, only keys are bound.
 */
import type { Bound } from '../bound.ts'
import { literal } from '../expression.ts'

export const blank = '[ \\t\\n\\r]*'
const string = '"(?:[^"\\\\]|\\\\.)*"'
/** A number, `true`, `false` or `null`. */
const word = '[^ \\t\\n\\r"{}\\[\\],:]+'
/** Objects and arrays within each other of a line that is told. Lines have more rarely. */
export const levelsMax = 6

/** Objects and arrays within each other, up to as many levels. */
function nested(levels: number): string {
  const inner = levels === 1 ? '' : `|${nested(levels - 1)}`
  return `[{\\[](?:[^{}\\[\\]"]|${string}${inner})*[}\\]]`
}

/** Any value that is within as many objects and arrays. */
function valueWithin(levels: number): string {
  const inner = levels < levelsMax ? `|${nested(levelsMax - levels)}` : ''
  return `(?:${string}|${word}${inner})`
}

/** Members before the one that is meant, of an object that is within as many others. */
function membersWithin(levels: number): string {
  return `(?:${string}${blank}:${blank}${valueWithin(levels + 1)}${blank},${blank})*`
}

/** A step into a value: a form of keys, or the place of an item. */
export type StepForm = string | number

/** More items are not passed over. */
export const itemsMax = 8

/** An expression of parts: ours as they are, and forms of keys, which are bound. */
export type Form = readonly (string | { readonly key: string })[]

/** The beginning of an object. */
export const objectBegins: Form = [`\\A${blank}\\{`]
/** A line whose values can be told: not deeper than these expressions are. */
export const shallowLine: Form = [`\\A${blank}${nested(levelsMax)}${blank}\\z`]
/** A string, number or word at the beginning of a text; or an object or array as well. */
export const scalarAhead: Form = [`\\A(?:${string}|${word})`]
export const valueAhead: Form = [`\\A${valueWithin(1)}`]

/** A key of one of some forms. */
export function keyOf(forms: readonly string[]): Form {
  return ['"(?:', { key: forms.join('|') }, `)"${blank}:`]
}

/** What stands in a line before the value at a path. */
export function upTo(steps: readonly StepForm[]): Form {
  return [`\\A${blank}`, ...steps.flatMap(into)]
}

/** A line in which the object that has the last key of a path has it twice. */
export function twiceAt(steps: readonly StepForm[]): Form {
  const { length } = steps
  const between = `${valueWithin(length)}${blank},${blank}${membersWithin(length - 1)}`
  return [...upTo(steps), between, ...keyOf([String(steps.at(-1))])]
}

/** `within`: how many steps have been taken. */
function into(step: StepForm, within: number): Form {
  if (typeof step === 'string') {
    return [`\\{${blank}${membersWithin(within)}`, ...keyOf([step]), blank]
  }
  const item = `(?:${valueWithin(within + 1)}${blank},${blank})`
  return [`\\[${blank}`, ...(step === 0 ? [] : [`${item}{${step}}`])]
}

/** The expression in SQL. */
export function sqlOf(form: Form, bound: Bound): string {
  const parts = form.map(part => (typeof part === 'object' ? bound.text(part.key) : literal(part)))
  return parts.length === 1 ? parts[0]! : `concat(${parts.join(', ')})`
}
