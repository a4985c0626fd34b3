/** Counts per combination of the values of labels. */
import { limits } from '../../../limits.ts'
import type { GroupCount, GroupsRequest } from '../../../query/collect/groups.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import type { LabelTexts } from './label.ts'
import { whole } from './whole.ts'

interface Row {
  readonly values: string[]
  readonly found: number | string
}

export function groupsQuestion({ by }: GroupsRequest, texts: LabelTexts): CollectedQuestion {
  const bound = new Bound('q')
  const values = valuesOf(by, bound, texts)
  const groups = (from: string) =>
    `SELECT ${values} AS values, count() AS found FROM ${from} GROUP BY values`
  return {
    statement: from => asManyAsFit(groups(from), limits.queryGroupsMax),
    params: bound.params,
    plainOf: rows =>
      (rows as readonly Row[]).map(({ values, found }): GroupCount => [values, Number(found)]),
  }
}

/** The labels' texts of a record, as an array. */
export function valuesOf(by: readonly string[], bound: Bound, texts: LabelTexts): string {
  if (by.length === 0) return 'emptyArrayString()'
  return `[${by.map(label => `toString(${texts(label, bound)})`).join(', ')}]`
}

/**
 * No more of the groups that `groups` selects, with their `values`, than there may be, and one: how many
 * there may be, and of how many characters, is looked at by whoever adds them up.
 */
export function asManyAsFit(
  groups: string,
  max: number,
  lengthMax = limits.groupsLengthMax,
): string {
  const before = 'sum(characters) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)'
  return `SELECT * EXCEPT (characters, before) FROM (
    SELECT *, arraySum(value -> lengthUTF8(value), values) AS characters, ${before} AS before
    FROM (${groups} LIMIT ${whole(max + 1)})
  ) WHERE before <= ${whole(lengthMax)}`
}
