/**
 * Templates that make a label of itself, twice and more in each: `| label_format a="{{.a}}{{.a}}"`, and
 * so on. With a few dozen of them whatever a record has is longer than any text may be, so the query is
 * refused where the first such template stands, before any record is read.
 */

import { limits } from '../limits.ts'
import { QueryFault } from './fault.ts'
import { logqlName } from './logql-names.ts'
import type { Place } from './places.ts'
import type { Stage } from './stage.ts'
import { parseTemplate } from './template.ts'

/** The line, among labels. */
const line = ''

/** `places`: where the stages stand. Throws QueryFault `query_too_large`. */
export function checkGrowth(stages: readonly Stage[], places: readonly Place[]): void {
  const { queryTemplateTextMax: max } = limits
  /** How many times labels and the line hold what a record came with. */
  let times = new Map<string, number>()
  for (const [i, stage] of stages.entries()) {
    for (const [label, count] of grownBy(stage, times)) {
      times.set(label, count)
      if (count <= max) continue
      const what = `templates make of one text more than ${max} copies`
      throw new QueryFault('query_too_large', places[i]!.from, what, {
        remedy: 'each copies what those before it have copied: use fewer of {{.label}} in it',
      })
    }
    // Of what others find nothing is known.
    if (!leavesTexts.includes(stage.kind)) times = new Map()
  }
}

const leavesTexts: readonly Stage['kind'][] = [
  ...(['line', 'filter', 'distinct', 'label_format', 'line_format'] as const),
]

function* grownBy(
  stage: Stage,
  times: ReadonlyMap<string, number>,
): Generator<readonly [label: string, count: number]> {
  if (stage.kind === 'line_format') yield [line, copiesIn(stage.text, times)]
  if (stage.kind !== 'label_format') return
  // All templates of a stage see the labels that there were at the first.
  let seen: typeof times | undefined
  for (const assignment of stage.assignments) {
    const label = logqlName(assignment.label)
    if ('template' in assignment) {
      seen ??= new Map(times)
      yield [label, copiesIn(assignment.template, seen)]
    } else yield [label, times.get(logqlName(assignment.from)) ?? 1]
  }
}

/** Of what surely stands in a template as it is: neither in a branch nor changed by a function. */
function copiesIn(template: string, times: ReadonlyMap<string, number>): number {
  const parts = parseTemplate(template)
  if (typeof parts === 'string') return 1
  // Copies of one text and of another are not added up: either may be empty.
  const copies = new Map<string, number>()
  for (const part of parts) {
    const [command, ...others] = part.kind === 'action' ? part.pipeline : []
    if (command === undefined || others.length > 0) continue
    const isLine = command.kind === 'call' && command.name === '__line__'
    if (command.kind !== 'label' && !isLine) continue
    const name = command.kind === 'label' ? logqlName(command.name) : line
    copies.set(name, (copies.get(name) ?? 0) + (times.get(name) ?? 1))
  }
  return Math.max(1, ...copies.values())
}
