/** What a query's text is, and the query with less in it: for what follows from it on the page. */

import { tokensOf } from '../query/tokens.ts'

/** Whether the query gives figures, such as `count by (host) (logs)`, and no records. */
export function isAggregate(query: string): boolean {
  const first = tokensOf(query).find(({ kind }) => kind !== 'space')
  return first !== undefined && first.text !== 'logs'
}

/** The query without its last condition, and the condition; undefined when there is none. */
export function withoutLastCondition(
  query: string,
): { readonly query: string; readonly condition: string } | undefined {
  const tokens = tokensOf(query)
  const words = tokens.filter(({ kind }) => kind !== 'space')
  const [text, operator] = [words.at(-1), words.at(-2)]
  // A filter on the message: `|= "timeout"` at the end.
  if (text?.kind === 'string' && operator?.kind === 'operator') {
    const rest = query.slice(0, operator.start).trimEnd()
    return { query: rest, condition: query.slice(operator.start, text.end) }
  }
  const close = words.at(-1)
  if (close?.text !== '}') return undefined
  const open = words.findLast(({ text, kind }) => text === '{' && kind === 'bracket')
  if (open === undefined) return undefined
  const inside = words.filter(({ start, end }) => start >= open.end && end <= close.start)
  while (inside.at(-1)?.kind === 'comma') inside.pop()
  const last = inside.at(-1)
  if (last === undefined) return undefined
  const comma = inside.findLast(({ kind }) => kind === 'comma')
  const begin = inside.find(({ start }) => start >= (comma?.end ?? open.end))!.start
  const condition = query.slice(begin, last.end)
  const rest = query.slice(0, comma?.start ?? open.start)
  return { query: comma === undefined ? rest.trimEnd() : `${rest}}`, condition }
}
