/** The groups of an answer as they are drawn: the largest first, each with its colour. */

import { colored, type Group } from '../chart/groups.ts'
import type { Values } from '../chart/stack.ts'
import { linesMax } from './aggregate-view.ts'
import { chartedSeries, labelsText } from './group-values.ts'
import type { AggregateAnswer } from './use-aggregate.ts'

/** Of groups that have no line, in lists. */
const plainColor = '--line-control'

export interface AggregateGroups {
  /** Ms since 1970. */
  readonly times: readonly number[]
  /** Those that can have a line, in the order in which they are stacked. */
  readonly lines: readonly Group[]
  readonly all: readonly Group[]
}

export function groupsOf(
  answer: Pick<AggregateAnswer, 'times' | 'rows' | 'overTime'>,
): AggregateGroups {
  const { times, series } = chartedSeries(answer.overTime, answer.times)
  const courses = new Map<string, { labels: Group['labels']; values: Values }>()
  for (const [at, { name, values }] of series.entries()) {
    courses.set(name, { labels: answer.overTime[at]!.labels, values })
  }
  const none: Values = times.map(() => undefined)
  const ranked = answer.rows.map(({ labels, value }) => {
    const name = labelsText(labels)
    return { name, labels, total: value, values: courses.get(name)?.values ?? none }
  })
  const names = new Set(ranked.map(({ name }) => name))
  const further = [...courses]
    .filter(([name]) => !names.has(name))
    .map(([name, course]) => ({ name, ...course, total: undefined }))
  const all = [...ranked, ...further]
  const lines: readonly Group[] = colored(all.slice(0, linesMax))
  const rest = all.slice(linesMax).map(group => ({ ...group, color: plainColor }))
  return { times, lines, all: [...lines, ...rest] }
}
