/** What a query's text is, and the query with less in it: for what follows from it on the page. */

import type { Place } from '../../language/places.ts'
import type { FoundSelector } from '../../language/reading.ts'
import { withoutFilter, withoutMatcher, withoutStage } from '../query/edit-removal.ts'
import { readText } from '../query/read.ts'
import { editedText, type TextEdit } from '../query/text-edit.ts'

/** Whether the query returns values, such as `count by (host) (logs)`, and no records. */
export function isAggregate(query: string): boolean {
  const read = readText(query)
  if (read !== undefined) return read.query.kind !== 'selector'
  return !/^\s*(logs(?![\p{L}\p{N}_])|\{|$)/u.test(query)
}

/** The query without its last condition, and the condition; undefined when there is none. */
export function withoutLastCondition(
  query: string,
): { readonly query: string; readonly condition: string } | undefined {
  const read = readText(query)
  const [found] = read?.selectors ?? []
  if (read?.query.kind !== 'selector' || found === undefined) return undefined
  const last = lastCondition(query, found)
  if (last === undefined) return undefined
  const condition = query.slice(last.place.from, last.place.to).trim()
  const rest = editedText(query, [last.edit]).trimEnd()
  return { query: rest, condition: condition.replace(/^\|\s+/, '') }
}

interface Removal {
  readonly place: Place
  readonly edit: TextEdit
}

/** In the order in which they stand: stages are the last, of which those that filter are conditions. */
function lastCondition(query: string, found: FoundSelector): Removal | undefined {
  const { selector, places } = found
  const stage = selector.stages?.findLastIndex(({ kind }) => kind === 'filter' || kind === 'line')
  if (stage !== undefined && stage >= 0) {
    return { place: places.stages[stage]!, edit: withoutStage(query, found, stage) }
  }
  const filter = [...places.filters, ...places.searches].sort((a, b) => a.from - b.from).at(-1)
  if (filter !== undefined) return { place: filter, edit: withoutFilter(query, filter) }
  const matcher = places.matchers.length - 1
  if (matcher < 0) return undefined
  return { place: places.matchers[matcher]!, edit: withoutMatcher(query, found, matcher) }
}
