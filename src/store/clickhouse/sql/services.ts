/** Of each service how many records, how many of them errors, and when the first and the last was logged. */
import { levelsOfKind } from '../../../levels.ts'
import { limits } from '../../../limits.ts'
import type { ServiceSpan } from '../../../query/collect/services.ts'
import { Bound } from './bound.ts'
import type { CollectedQuestion } from './collected.ts'
import { whole } from './whole.ts'

type Row = { readonly [K in keyof ServiceSpan]: ServiceSpan[K] | string }

export function servicesQuestion(): CollectedQuestion {
  const bound = new Bound('q')
  const errors = bound.texts(levelsOfKind('error', 'fatal'))
  return {
    statement: from => `SELECT toString(ServiceName) AS service, count() AS count,
      countIf(Level IN ${errors}) AS errors, min(Time) AS firstAt, max(Time) AS lastAt
      FROM ${from} GROUP BY service LIMIT ${whole(limits.queryGroupsMax + 1)}`,
    params: bound.params,
    plainOf: rows =>
      (rows as readonly Row[]).map(
        (row): ServiceSpan => ({
          service: String(row.service),
          count: Number(row.count),
          errors: Number(row.errors),
          firstAt: Number(row.firstAt),
          lastAt: Number(row.lastAt),
        }),
      ),
  }
}
