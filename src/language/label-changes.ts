/** Which labels that a record came with a stage may change or take away. */

import { logqlName } from './logql-names.ts'
import type { Stage } from './stage.ts'

/**
 * Whether a stage renames, makes, keeps or drops labels such that this one may be another behind it. Of what
 * parsers find nothing is said.
 * @param name LogQL's name of the label.
 */
export function changesLabel(stage: Stage, name: string): boolean {
  switch (stage.kind) {
    case 'keep':
      return !stage.labels.some(label => typeof label === 'string' && logqlName(label) === name)
    case 'drop':
      return stage.labels.some(
        label => logqlName(typeof label === 'string' ? label : label.label) === name,
      )
    case 'label_format':
      return stage.assignments.some(
        one => logqlName(one.label) === name || ('from' in one && logqlName(one.from) === name),
      )
    default:
      return false
  }
}
