/** Which query words became: of one's own, to go on from. */

import { pathTo } from '../../http/page-paths.ts'
import { printQuery } from '../../language/print.ts'
import { readText } from '../query/read.ts'
import { params } from '../state/location.ts'
import { query } from './shown.ts'

export function WordsMeaning() {
  const read = readText(query.value)
  if (!read?.isWords) return null
  const meaning = printQuery(read.query)
  const asked = new URLSearchParams(params.value)
  asked.set('query', meaning)
  return (
    <p class="logs-meaning soft small">
      Read as{' '}
      <a href={`${pathTo('logs')}?${asked}`} title="Go on with this query">
        {meaning}
      </a>
    </p>
  )
}
