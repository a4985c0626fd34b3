/** Where the table has what a label names. */
import { levelLabel, messageLabel, streamLabels } from '../../../record.ts'
import type { Bound } from './bound.ts'

const columns: ReadonlyMap<string, string> = new Map([
  [streamLabels.service, 'ServiceName'],
  [streamLabels.environment, 'Environment'],
  [levelLabel, 'Level'],
  [messageLabel, 'Body'],
])

/** The column of a label that every record has; undefined for an attribute. */
export function columnOf(label: string): string | undefined {
  return columns.get(label)
}

/** The label's text of a record: empty where it has no such attribute. */
export function labelText(label: string, bound: Bound): string {
  return columnOf(label) ?? `LogAttributes[${bound.text(label)}]`
}
