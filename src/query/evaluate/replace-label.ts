/** `label_replace`: a label made of what an expression finds in another one's value. */

import type { LabelReplacement } from '../../language/ast.ts'
import { compileCapturing, expandGroups } from '../../match/pattern.ts'
import { ambiguous, MadeSeries } from './matching.ts'
import type { Labels, Vector } from './vector.ts'

type Asked = Pick<LabelReplacement, 'target' | 'replacement' | 'source' | 'pattern'>

/**
 * The series with the label set where the expression matches the whole value; as they are elsewhere.
 * @throws ProblemError `query_ambiguous` when two series come to have the same labels at a step.
 */
export function replaceLabel(asked: Asked, vector: Vector): Vector {
  const { target, replacement, source, pattern } = asked
  const expression = compileCapturing(`^(?:${pattern})$`)
  const relabelled = (labels: Labels): Labels => {
    const matcher = expression.matcher(labels[source] ?? '')
    if (!matcher.find()) return labels
    const made: Record<string, string> = Object.assign(Object.create(null), labels)
    made[target] = expandGroups(replacement, matcher)
    return made
  }
  const made = new MadeSeries(vector.series[0]?.points.length ?? 0)
  for (const { labels, points } of vector.series) {
    const changed = relabelled(labels)
    points.forEach((point, step) => {
      if (point === undefined || made.set(changed, step, point)) return
      throw ambiguous(
        `label_replace makes several series of the same labels, by setting "${target}"`,
      )
    })
  }
  return made.toVector()
}
