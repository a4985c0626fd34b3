/**
 * The fields of records that a query means by LogQL's names. An underscore may mean another
 * character, and only the records show which: they are looked at when a name is of that kind.
 */

import { everyRecord, type Query } from '../../../language/ast.ts'
import { logqlName } from '../../../language/logql-names.ts'
import { labelsIn, renameLabels } from '../../../language/rename-labels.ts'
import { ProblemError } from '../../../problems.ts'
import { levelLabel } from '../../../record.ts'
import type { FieldsResult } from '../../../store/store.ts'
import type { StoreDoor } from '../../dependencies.ts'
import { millisecondsOf, nsPerMs, type TimeRange } from './times.ts'

/** Fields are looked for so long before a range, too: metric queries take records from before it. */
const earlier = 3_600_000n * nsPerMs

/**
 * `query` with the fields that the records of `range` have in the place of names that they do not have:
 * of several the most frequent.
 */
export async function withOwnFields<Q extends Query>(
  store: Pick<StoreDoor, 'fields'>,
  query: Q,
  range: TimeRange,
  stop: AbortSignal,
): Promise<Q> {
  const unsure = [...labelsIn(query)].filter(mayStandForAnother)
  const times = millisecondsOf({ ...range, start: range.start - earlier })
  if (unsure.length === 0 || times === undefined) return query
  const fields = await fieldsOf(store, times, stop)
  const names = new Set(fields.map(({ name }) => name))
  const meant = new Map<string, string>()
  for (const label of unsure) {
    const field = names.has(label)
      ? label
      : fields.find(({ name }) => logqlName(name) === label)?.name
    meant.set(label, field ?? label)
  }
  // Renaming makes no other kind of query.
  return renameLabels(query, label => meant.get(label) ?? label) as Q
}

/** None when there are more names than an answer may have: then all must be given as they are. */
async function fieldsOf(
  store: Pick<StoreDoor, 'fields'>,
  times: { readonly startTime: number; readonly endTime: number },
  stop: AbortSignal,
): Promise<FieldsResult['fields']> {
  try {
    const { fields } = await store.fields({ selector: everyRecord, ...times }, stop)
    return fields
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'query_too_large') return []
    throw error
  }
}

/** LogQL's own labels, such as `__error__`, stand for nothing of ours. */
function mayStandForAnother(label: string): boolean {
  return /^(?!__)\w*_\w*$/.test(label) && label !== levelLabel
}
