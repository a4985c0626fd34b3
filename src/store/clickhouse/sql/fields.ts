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

/** `names`: of a record's attributes, an array in SQL. Of a sample as many of each block of ClickHouse's. */
export function fieldsQuestion({ sample }: FieldsRequest, names: string): CollectedQuestion {
  const bound = new Bound('q')
  const ofAll = bound.texts(labelsOfAll)
  const { fieldNamesMax, fieldNamesLengthMax } = limits
  // Those that most records have: where too many are no reason to refuse, the others are forgotten.
  const isLookedAt = sample === undefined ? '1' : `place < ${whole(sample)}`
  const counted = (from: string) => `SELECT toString(name) AS name, count() AS found
    FROM (SELECT ${names} AS names, rowNumberInBlock() AS place FROM ${from}) ARRAY JOIN names AS name
    WHERE ${isLookedAt} AND name NOT IN ${ofAll} GROUP BY name ORDER BY found DESC LIMIT ${whole(fieldNamesMax + 1)}`
  const before = 'sum(lengthUTF8(name)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)'
  return {
    statement: from => `SELECT name, found FROM (
      SELECT name, found, ${before} AS before FROM (${counted(from)})
    ) WHERE before <= ${whole(fieldNamesLengthMax)}`,
    params: bound.params,
    plainOf: rows =>
      (rows as readonly Row[]).map(({ name, found }): NameCount => [name, Number(found)]),
  }
}
