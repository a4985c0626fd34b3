/** What most tools are asked about: the records of one selector, in a range of time. */
import { parseSingle } from '../../../language/grammar.ts'
import { earlier } from '../../../record.ts'
import { readRange } from './asked-range.ts'
import { readCursor } from './cursor.ts'
import { linkTo } from './page-links.ts'
import type { ToolContext } from './tool.ts'

interface Asked {
  readonly query: string
  readonly from?: string | number
  readonly to?: string | number
  readonly cursor?: string
}

/**
 * `times`: of the records, moved by the query's `offset`; `open`: the address of the page that shows them,
 * which the budget has paid. Throws ProblemError.
 */
export function readAsked(asked: Asked, { now, links, budget }: ToolContext) {
  const cursor = readCursor(asked.cursor)
  const range = readRange(asked, now, cursor)
  const { selector, offsetMs, interpretedAs } = parseSingle(asked.query)
  const open = linkTo(links.logs(asked.query, range), budget)
  return { cursor, range, selector, offsetMs, times: earlier(range, offsetMs), open, interpretedAs }
}
