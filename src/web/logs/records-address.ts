/** The way from a group of values to the records that it was made of. */

import { pathTo } from '../../http/page-paths.ts'
import { recordsBehind } from '../query/selectors.ts'
import { params } from '../state/location.ts'
import { filterableMax, query } from './shown.ts'

/** The address of the records in the same time; undefined where no query asks for them. */
export function recordsAddress(labels: Readonly<Record<string, string>>): string | undefined {
  const behind = recordsBehind(query.value, labels)
  const isTooLong = Object.values(labels).some(value => value.length > filterableMax)
  if (behind === undefined || isTooLong) return undefined
  const asked = new URLSearchParams(params.value)
  for (const looks of ['draw', 'only']) asked.delete(looks)
  asked.set('query', behind)
  return `${pathTo('logs')}?${asked}`
}
