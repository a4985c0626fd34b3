/**
 * One condition on a text, in the form in which it is cheapest to test on many: compiled once per
 * query, tried on strings (dictionaries, index entries) and on UTF-8 bytes (columns).
 */
import type { TextColumn } from '../journal/batch-reader.ts'
import { textAt } from '../journal/batch-reader.ts'
import type { LineFilter, Matcher } from './ast.ts'
import { compilePattern, type Pattern } from './pattern.ts'

/** What a text must be, apart from a negation. */
type Test =
  | { readonly kind: 'equals'; readonly text: string; readonly bytes: Buffer }
  | { readonly kind: 'contains'; readonly text: string; readonly bytes: Buffer }
  | { readonly kind: 'matches'; readonly pattern: Pattern }

export interface Condition {
  readonly test: Test
  readonly isNegated: boolean
}

export function conditionOfMatcher(matcher: Matcher): Condition {
  const { operator, value } = matcher
  const isNegated = operator === '!=' || operator === '!~'
  if (operator === '=~' || operator === '!~') {
    return { test: { kind: 'matches', pattern: compilePattern(value, 'anchored') }, isNegated }
  }
  return { test: { kind: 'equals', text: value, bytes: Buffer.from(value) }, isNegated }
}

export function conditionOfFilter(filter: LineFilter): Condition {
  const { operator, text } = filter
  const isNegated = operator === '!=' || operator === '!~'
  if (operator === '|~' || operator === '!~') {
    return { test: { kind: 'matches', pattern: compilePattern(text, 'anywhere') }, isNegated }
  }
  return { test: { kind: 'contains', text, bytes: Buffer.from(text) }, isNegated }
}

/** Whether a text meets the condition. */
export function holds(condition: Condition, text: string): boolean {
  return passes(condition.test, text) !== condition.isNegated
}

function passes(test: Test, text: string): boolean {
  if (test.kind === 'equals') return text === test.text
  if (test.kind === 'contains') return text.includes(test.text)
  return test.pattern.matches(text)
}

/**
 * Marks with 1, in `hits`, each value of a column that passes the condition's test, negation left
 * aside. `isWanted` tells which values matter; the others may be marked or not.
 */
export function markHits(
  condition: Condition,
  column: TextColumn,
  hits: Uint8Array,
  isWanted: (index: number) => boolean,
): void {
  const { test } = condition
  if (test.kind === 'equals') markEqual(test.bytes, column, hits)
  else if (test.kind === 'contains') markContaining(test.bytes, column, hits)
  else {
    for (let i = 0; i < hits.length; i++) {
      if (isWanted(i) && test.pattern.matches(textAt(column, i))) hits[i] = 1
    }
  }
}

function markEqual(wanted: Buffer, column: TextColumn, hits: Uint8Array): void {
  const { offsets, bytes } = column
  for (let i = 0; i < hits.length; i++) {
    const start = offsets[i]!
    const end = offsets[i + 1]!
    if (end - start !== wanted.length) continue
    if (wanted.length === 0 || bytes[start] === wanted[0]) {
      if (bytes.compare(wanted, 0, wanted.length, start, end) === 0) hits[i] = 1
    }
  }
}

/** One search over all values end to end; a find that spans two values is none. */
function markContaining(needle: Buffer, column: TextColumn, hits: Uint8Array): void {
  const { offsets, bytes } = column
  if (needle.length === 0) {
    hits.fill(1)
    return
  }
  let index = 0
  let at = bytes.indexOf(needle)
  while (at !== -1) {
    while (offsets[index + 1]! <= at) index++
    const end = offsets[index + 1]!
    const isInside = at + needle.length <= end
    if (isInside) hits[index] = 1
    at = bytes.indexOf(needle, isInside ? end : at + 1)
  }
}
