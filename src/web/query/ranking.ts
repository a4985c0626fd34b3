/**
 * `topk` and `bottomk` over time. The service ranks at each step anew, so that in its answer groups come and
 * go. A chart, and the values beside it, are about the groups that rank over the whole time: each with
 * all of its points.
 */

import { hasLogqlNames } from '../../language/ast.ts'
import type { Variables } from '../../language/variables.ts'
import { querySeries, type SeriesAsked, type TimeSeries } from '../api/prometheus.ts'
import { withCondition } from './edit.ts'
import { readText } from './read.ts'
import type { GroupNames } from './stage-labels.ts'
import { type Token, tokensOf } from './tokens.ts'

type Labels = TimeSeries['labels']

/** Whether groups are ranked anywhere in the query. */
export function isRanked(query: string): boolean {
  return tokensOf(query).some(isRanking)
}

/**
 * The points of these groups over time.
 * @param groups Those that the ranking gave over the whole time.
 */
export async function rankedSeries(
  asked: SeriesAsked,
  groups: readonly Labels[],
  signal?: AbortSignal,
): Promise<TimeSeries[]> {
  const operand = rankedOperand(asked.query)
  const query = operand === undefined ? asked.query : narrowedTo(groups, operand, asked.variables)
  const wanted = new Set(groups.map(keyOf))
  const found = await querySeries({ ...asked, query }, signal)
  return found.filter(({ labels }) => wanted.has(keyOf(labels)))
}

/** What is ranked, such as `count by (a) (logs)`, when the query is a ranking and nothing more. */
export function rankedOperand(query: string): string | undefined {
  const words = tokensOf(query).filter(({ kind }) => kind !== 'space')
  if (words[0] === undefined || !isRanking(words[0])) return undefined
  const open = words[1]?.text === 'by' ? closing(words, 2) + 1 : 1
  const close = closing(words, open)
  const comma = words[open + 2]
  const isLast =
    close === words.length - 1 ||
    (words[close + 1]?.text === 'by' && closing(words, close + 2) === words.length - 1)
  if (!isLast || comma?.kind !== 'comma') return undefined
  return query.slice(comma.end, words[close]!.start).trim()
}

function isRanking({ kind, text }: Token): boolean {
  return kind === 'operation' && ['topk', 'bottomk'].includes(text)
}

/** The index of the bracket that closes the one at `open`; -1 where none does, or none is opened. */
function closing(words: readonly Token[], open: number): number {
  let depth = 0
  for (let at = open; at > 0 && at < words.length; at++) {
    const { kind, text } = words[at]!
    if (kind === 'bracket' && text === '(') depth += 1
    if (kind === 'bracket' && text === ')') depth -= 1
    if (depth === 0) return text === ')' ? at : -1
  }
  return -1
}

/** Longer queries are not worth what they save. */
const narrowedLengthMax = 4_000

/**
 * The operand with the records of these groups only, so that thousands of others are not counted and sent.
 * With one selector a group's value comes from its own records alone; with several it may not.
 */
export function narrowedTo(
  groups: readonly Labels[],
  operand: string,
  variables?: Variables,
): string {
  const read = readText(operand, variables)
  if (read?.selectors.length !== 1) return operand
  const isLogql = read.query.kind !== 'selector' && hasLogqlNames(read.query)
  const group: GroupNames = isLogql ? 'logql' : 'ours'
  const options = { group, ...(variables !== undefined && { variables }) }
  const names = [...new Set(groups.flatMap(labels => Object.keys(labels)))]
  const narrowed = names.reduce((query, label) => {
    const values = [...new Set(groups.map(labels => escaped(labels[label] ?? '')))]
    return withCondition(query, { label, operator: '=~', value: values.join('|') }, options)
  }, operand)
  return narrowed.length > narrowedLengthMax ? operand : narrowed
}

/** A text as a regular expression that matches it alone, and names no variable. */
function escaped(text: string): string {
  return text.replace(/[\\^.|?*+()[\]{}]/g, '\\$&').replaceAll('$', '[$]')
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
}
