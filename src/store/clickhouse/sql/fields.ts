/** Counts of records per attribute's name. */
import { limits } from '../../../limits.ts'
import { type FieldsRequest, labelsOfAll, type NameCount } from '../../../query/collect/fields.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import { whole } from './whole.ts'

interface Row {
  readonly name: string
  readonly found: number | string
}

/** Undefined where only some records are to be looked at. */
export function fieldsQuestion({ sample }: FieldsRequest): CollectedQuestion | undefined {
  if (sample !== undefined) return undefined
  const bound = new Bound('q')
  const ofAll = bound.texts(labelsOfAll)
  const { fieldNamesMax, fieldNamesLengthMax } = limits
  // Those that most records have: where too many are no reason to refuse, the others are forgotten.
  const names = (from: string) => `SELECT toString(name) AS name, count() AS found
    FROM (SELECT mapKeys(LogAttributes) AS names FROM ${from}) ARRAY JOIN names AS name
    WHERE name NOT IN ${ofAll} GROUP BY name ORDER BY found DESC LIMIT ${whole(fieldNamesMax + 1)}`
  const before = 'sum(lengthUTF8(name)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)'
  return {
    statement: from => `SELECT name, found FROM (
      SELECT name, found, ${before} AS before FROM (${names(from)})
    ) WHERE before <= ${whole(fieldNamesLengthMax)}`,
    params: bound.params,
    plainOf: rows =>
      (rows as readonly Row[]).map(({ name, found }): NameCount => [name, Number(found)]),
  }
}
