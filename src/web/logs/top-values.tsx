/** The most frequent values of one field under the query, with their counts; a click filters. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Facet, queryFacets } from '../api/records.ts'
import { countText } from '../format.ts'
import { withBounds, withChoice } from '../query/edit.ts'
import { useRequest } from '../state/request.ts'
import { explain, Progress } from '../ui/states.tsx'
import { FacetValues } from './facet-values.tsx'
import { NumericFacet } from './numeric-facet.tsx'
import { narrowedToOne, query, timesNow } from './shown.ts'

const shownMax = 10

interface TopValuesProps {
  readonly field: string
  /** Changes when the query does; without it the values are asked for once. */
  readonly asked?: string | undefined
  /** Its numbers say all that is to be said of it. */
  readonly isMeasured?: boolean
  /** Without the field's name: it stands above already. */
  readonly isPlain?: boolean
  /** The first value takes the focus when it is there. */
  readonly takesFocus?: boolean
}

export function TopValues({
  field,
  asked = '',
  isMeasured = false,
  isPlain = false,
  takesFocus = false,
}: TopValuesProps) {
  const box = useRef<HTMLDivElement>(null)
  const found = useRequest(`${field} ${asked}`, signal => {
    // What is asked of the field itself is left out: the other values are to be had.
    const others = withBounds(withChoice(query.peek(), field, []), field, [])
    const fields = { fields: [field], limit: shownMax, numeric: true }
    return queryFacets({ query: narrowedToOne(others), ...timesNow(), ...fields }, signal)
  })
  const facet = found.answer?.facets[0]
  const numeric = facet !== undefined && isMeasure(facet) ? facet.numeric : undefined
  useLayoutEffect(() => {
    if (takesFocus) box.current?.querySelector('button')?.focus()
  }, [takesFocus, facet])
  return (
    <div class={isPlain ? 'top-values-plain' : 'top-values'} ref={box}>
      {!isPlain && <h2 class="truncate">{field}</h2>}
      <Progress isBusy={found.isBusy} text="Counting" onCancel={found.cancel} />
      {found.error !== undefined && <p class="soft">{explain(found.error).detail}</p>}
      {facet !== undefined && (
        <>
          {numeric && <NumericFacet field={field} numeric={numeric} />}
          {!(isMeasured && numeric) && <FacetValues facet={facet} />}
          {facet.missing > 0 && (
            <p class="facet-note faint small">{countText(facet.missing)} records do not have it</p>
          )}
        </>
      )}
    </div>
  )
}

/** Whether most of its values are numbers, and more than a list has room for. */
function isMeasure({ numeric, values, others, tooManyValues }: Facet): boolean {
  const present = values.reduce((sum, { count }) => sum + count, others)
  const areMany = tooManyValues === true || others > 0
  return areMany && numeric !== undefined && 2 * numeric.count >= present
}
