/** How many records match, and what finding them cost. */

import { countText } from '../format.ts'
import { costDetails, costText, isPartial } from './cost.ts'
import { type Figures, figuresText } from './use-figures.ts'
import type { FirstPage } from './use-rows.ts'

interface AnswerCostProps {
  readonly page: FirstPage | undefined
  readonly figures: Figures | undefined
}

export function AnswerCost({ page, figures }: AnswerCostProps) {
  if (figures !== undefined) return <p role="status">{figuresText(figures)}</p>
  if (page === undefined) return <p role="status" />
  const { count, stats } = page.answer
  return (
    <p role="status" title={costDetails(stats).join('\n')}>
      <strong>{countText(count)}</strong> {count === 1 ? 'record' : 'records'}
      <span class="soft"> · {costText(stats)}</span>
      {isPartial(stats) && (
        <strong class="level-warn"> · part of the data is damaged, records are missing</strong>
      )}
    </p>
  )
}
