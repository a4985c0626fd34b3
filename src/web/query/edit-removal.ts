/** What taking a part out of a selector does to the text around it. */

import { withoutComments } from '../../language/comments.ts'
import type { Place } from '../../language/places.ts'
import type { FoundSelector } from '../../language/reading.ts'
import { type TextEdit, writtenEnd } from './text-edit.ts'

/** With a comma; braces of our own form that are empty then go, too. */
export function withoutMatcher(
  query: string,
  { selector, places }: FoundSelector,
  index: number,
): TextEdit {
  const braces = places.braces!
  const { from, to } = places.matchers[index]!
  const code = withoutComments(query)
  const before = code.slice(braces.from, from).trimEnd()
  const after = /^\s*,\s*/.exec(code.slice(to))?.[0].length ?? 0
  const [begin, end] = before.endsWith(',')
    ? [braces.from + before.length - 1, to]
    : [from, to + after]
  const rest = code.slice(braces.from, begin) + code.slice(end, braces.to)
  const isKept = selector.names === 'logql' || !/^\{[\s,]*\}\s*$/.test(rest)
  if (isKept) return { from: begin, to: end, written: '' }
  return { from: braces.from, to: writtenEnd(query, braces), written: '' }
}

/** A line filter that stands before all stages. */
export function withoutFilter(query: string, place: Place): TextEdit {
  const from = writtenEnd(query, { from: 0, to: place.from })
  return { from, to: writtenEnd(query, place), written: '' }
}

/** Behind labels that are kept or dropped, `!= "text"` would be of a label's value: a comma stays. */
export function withoutStage(
  query: string,
  { selector: { stages = [] }, places }: FoundSelector,
  index: number,
): TextEdit {
  const removed = withoutFilter(query, places.stages[index]!)
  const [before, after] = [stages[index - 1], stages[index + 1]]
  const isList = before?.kind === 'keep' || before?.kind === 'drop'
  const needsComma = isList && after?.kind === 'line' && query[removed.from - 1] !== ','
  return needsComma ? { ...removed, written: ',' } : removed
}
