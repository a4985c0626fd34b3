/**
 * Labels under the names that LogQL has for them. LogQL's names have letters, digits and underscores
 * only, and no digit first; ours may be any text.
 *
 * `service.name` is `service_name`, `log_level` is `detected_level`, and any other name has an
 * underscore in the place of each character that LogQL's names cannot have: `user.id` is `user_id`.
 */

import { levelLabel, streamLabels } from '../record.ts'

const ownNames: ReadonlyMap<string, string> = new Map([
  ['service_name', streamLabels.service],
  ['detected_level', levelLabel],
])

const logqlNames: ReadonlyMap<string, string> = new Map(
  Array.from(ownNames, ([logql, own]) => [own, logql]),
)

/** The label that `name` means where LogQL's names are used. */
export function ownName(name: string): string {
  return ownNames.get(name) ?? name
}

/** LogQL's name of a label. Several labels may have the same. */
export function logqlName(label: string): string {
  return logqlNames.get(label) ?? label.replaceAll(/^(?=[0-9])|[^A-Za-z0-9_]/gu, '_')
}
