/** Values of a field with counts and bars relative to the largest; one that is filtered for is checked. */

import type { Facet } from '../api/records.ts'
import { countText } from '../format.ts'
import { hasCondition, withoutCondition } from '../query/edit.ts'
import { RecordText } from './record-text.tsx'
import { filterableMax, filterBy, kindOfClick, query, run } from './shown.ts'

export function FacetValues({ facet }: { readonly facet: Facet }) {
  const { field, values, others } = facet
  if (facet.tooManyValues) {
    return <p class="facet-note faint">More values than can be counted</p>
  }
  const largest = Math.max(1, ...values.map(({ count }) => count))
  return (
    <ul class="facet-values">
      {values.map(({ value, count }) => {
        const condition = { label: field, operator: '=', value } as const
        const isOnly = hasCondition(query.value, condition)
        return (
          <li key={value}>
            <button
              type="button"
              class="facet-value"
              aria-pressed={isOnly}
              disabled={value.length > filterableMax}
              title={`${value.slice(0, 200)}\nClick: filter for it. Alt-click: exclude it.`}
              onClick={event => {
                const kind = kindOfClick(event)
                if (isOnly && kind === 'only') run(withoutCondition(query.peek(), condition))
                else filterBy(field, value, kind)
              }}
            >
              <span class="facet-bar" style={{ width: `${(100 * count) / largest}%` }} />
              <span class="truncate">
                <RecordText text={value === '' ? '""' : value.slice(0, 200)} isOneLine />
              </span>
              <span class="facet-count soft">{countText(count)}</span>
            </button>
          </li>
        )
      })}
      {others > 0 && (
        <li class="facet-value facet-others faint">
          <span>others</span>
          <span class="facet-count">{countText(others)}</span>
        </li>
      )}
    </ul>
  )
}
