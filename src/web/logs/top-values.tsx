/** The most frequent values of one field under the query, with their counts; a click filters. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { queryFacets } from '../api/records.ts'
import { countText } from '../format.ts'
import { useRequest } from '../state/request.ts'
import { explain, Progress } from '../ui/states.tsx'
import { FacetValues } from './facet-values.tsx'
import { narrowedToOne, timesNow } from './shown.ts'

const shownMax = 10

interface TopValuesProps {
  readonly field: string
  /** Without the field's name: it stands above already. */
  readonly isPlain?: boolean
  /** The first value takes the focus when it is there. */
  readonly takesFocus?: boolean
}

export function TopValues({ field, isPlain = false, takesFocus = false }: TopValuesProps) {
  const box = useRef<HTMLDivElement>(null)
  const found = useRequest(field, signal => {
    const asked = { query: narrowedToOne(), ...timesNow(), fields: [field], limit: shownMax }
    return queryFacets(asked, signal)
  })
  const facet = found.answer?.facets[0]
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
          <FacetValues facet={facet} />
          {facet.missing > 0 && (
            <p class="facet-note faint">{countText(facet.missing)} records do not have it</p>
          )}
        </>
      )}
    </div>
  )
}
