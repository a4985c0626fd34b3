/** Labels as Loki's clients name them, and the fields of records that are meant. */

import type { Selector } from '../../../language/ast.ts'
import { logqlName, ownName } from '../../../language/logql-names.ts'
import { limits } from '../../../limits.ts'
import { ProblemError } from '../../../problems.ts'
import { messageLabel } from '../../../record.ts'
import type { StoreDoor } from '../../dependencies.ts'
import { withOwnFields } from './own-fields.ts'
import { millisecondsOf, type TimeRange } from './times.ts'

type Store = Pick<StoreDoor, 'fields' | 'values'>

/** Which records are looked at. */
export interface Looked {
  readonly selector: Selector
  readonly range: TimeRange
}

/**
 * The values of the field that `name` means, in order. Of several fields with the same LogQL name all
 * count. Throws as the store, and `query_too_large` for more values than are counted.
 */
export async function valuesOf(
  store: Store,
  name: string,
  { selector, range }: Looked,
  stop: AbortSignal,
): Promise<string[]> {
  const times = millisecondsOf(range)
  if (times === undefined) return []
  const own = await withOwnFields(store, selector, range, stop)
  const asked = { selector: own, ...times }
  const values = new Set<string>()
  for (const field of await fieldsNamed(store, name, asked, stop)) {
    const wanted = { ...asked, field, prefix: '', limit: limits.fieldValuesMax }
    const found = await store.values(wanted, stop)
    if (found.tooManyValues === true) {
      const what = `"${field}" has more than ${limits.fieldValuesMax} values`
      throw new ProblemError('query_too_large', `${what}; narrow them by "query"`, {
        field: 'query',
      })
    }
    for (const { value } of found.values) values.add(value)
  }
  values.delete('')
  return [...values].sort()
}

/** An underscore may mean another character: only the records show which. */
async function fieldsNamed(
  store: Store,
  name: string,
  asked: Parameters<Store['fields']>[0],
  stop: AbortSignal,
): Promise<readonly string[]> {
  const own = ownName(name)
  if (own !== name || !name.includes('_')) return [own]
  const { fields } = await store.fields(asked, stop)
  return fields
    .map(({ name }) => name)
    .filter(field => field !== messageLabel && (field === name || logqlName(field) === name))
}
