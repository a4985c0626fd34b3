/** How many records match, and what finding them cost. */

import { countText } from '../format.ts'
import { costDetails, costText, isPartial } from './cost.ts'
import { type AggregateAnswer, aggregateText } from './use-aggregate.ts'
import type { FirstPage } from './use-rows.ts'

interface AnswerCostProps {
  readonly page: FirstPage | undefined
  readonly aggregate: AggregateAnswer | undefined
}

export function AnswerCost({ page, aggregate }: AnswerCostProps) {
  if (aggregate !== undefined) return <p role="status">{aggregateText(aggregate)}</p>
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
