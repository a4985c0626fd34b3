/** The selectors in a query: what leads from values to the records behind them. */

import { hasLogqlNames } from '../../language/ast.ts'
import { withoutComments } from '../../language/comments.ts'
import { printQuery } from '../../language/print.ts'
import type { FoundSelector } from '../../language/reading.ts'
import type { Variables } from '../../language/variables.ts'
import { withCondition } from './edit.ts'
import { readText } from './read.ts'

/** The selectors of a query, each with its filters and stages: what the log viewer can show. */
export function selectorsOf(query: string): readonly string[] {
  const { selectors } = readText(query) ?? { selectors: [] }
  return [...new Set(selectors.map(found => selectorText(query, found)))]
}

/**
 * The query for the records that one group of a query's answer was made of: its first selector, narrowed to
 * the group's labels. Undefined when all selectors are about another time (`offset`), or there is none.
 */
export function recordsBehind(
  query: string,
  labels: Readonly<Record<string, string>>,
): string | undefined {
  const read = readText(query)
  const found = read?.selectors.find(({ offsetMs }) => offsetMs === 0)
  if (read === undefined || found === undefined) return undefined
  const isLogql = read.query.kind !== 'selector' && hasLogqlNames(read.query)
  const group = isLogql ? 'logql' : 'ours'
  return Object.entries(labels).reduce(
    (narrowed, [label, value]) => {
      return withCondition(narrowed, { label, operator: '=', value }, { group })
    },
    selectorText(query, found),
  )
}

/**
 * A selector of the query as a query of its own: as it is written, and with variables, which may be in it,
 * with their values. Stages behind an `unwrap` mean the same before it.
 */
export function selectorText(
  query: string,
  { selector, places }: FoundSelector,
  variables: Variables = {},
): string {
  if (Object.keys(variables).length > 0) return printQuery(selector)
  const code = withoutComments(query)
  const { from, to, stages } = places
  const later = stages.filter(stage => stage.from >= to)
  return [{ from, to }, ...later].map(one => code.slice(one.from, one.to).trim()).join(' ')
}
