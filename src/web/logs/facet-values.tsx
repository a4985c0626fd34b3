/**
 * Values of a field with counts and bars relative to the largest. Those of which the query wants one are
 * pressed; a click adds a value to these or takes it away.
 */

import type { Facet } from '../api/records.ts'
import { countText } from '../format.ts'
import { choiceOf } from '../query/edit.ts'
import { RecordText } from './record-text.tsx'
import { filterableMax, filterBy, kindOfClick, query, toggleValue } from './shown.ts'

export function FacetValues({ facet }: { readonly facet: Facet }) {
  const { field, values, others } = facet
  if (facet.tooManyValues) {
    return <p class="facet-note faint small">More values than can be counted</p>
  }
  const chosen = choiceOf(query.value, field)
  const largest = Math.max(1, ...values.map(({ count }) => count))
  return (
    <ul class="facet-values">
      {values.map(({ value, count }) => {
        return (
          <li key={value}>
            <button
              type="button"
              class="facet-value hovers"
              aria-pressed={chosen.includes(value)}
              disabled={value.length > filterableMax}
              title={`${value.slice(0, 200)}\nClick: filter for it, or for one of several. Alt-click: exclude it.`}
              onClick={event => {
                if (kindOfClick(event) === 'only') toggleValue(field, value)
                else filterBy(field, value, 'not')
              }}
            >
              <span class="facet-bar" style={{ width: `${(100 * count) / largest}%` }} />
              <span class="truncate">
                <RecordText text={value === '' ? '""' : value.slice(0, 200)} isOneLine />
              </span>
              <span class="facet-count soft small at-end">{countText(count)}</span>
            </button>
          </li>
        )
      })}
      {others > 0 && (
        <li class="facet-value facet-others faint">
          <span>others</span>
          <span class="facet-count small at-end">{countText(others)}</span>
        </li>
      )}
    </ul>
  )
}
