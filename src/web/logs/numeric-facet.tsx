/**
 * The numbers of a field: where they lie, as a small histogram with a thumb at either end, and quantiles.
 * Both write comparisons into the query: `duration_ms >= 200`.
 */

import { useState } from 'preact/hooks'
import type { NumericSummary } from '../api/records.ts'
import { countText } from '../format.ts'
import { boundsOf, withBounds } from '../query/edit.ts'
import { quantityText, quantityWords, rounded } from '../query/quantity-text.ts'
import { kindOfClick, query, run } from './shown.ts'

interface NumericFacetProps {
  readonly field: string
  readonly numeric: NumericSummary
}

export function NumericFacet({ field, numeric }: NumericFacetProps) {
  const { unit, buckets } = numeric
  const edges = [...buckets.map(({ from }) => from), buckets.at(-1)!.to]
  const [low, high] = thumbsOf(field, edges, numeric)
  // While a thumb is dragged nothing is asked.
  const [moved, setMoved] = useState<readonly [number, number] | undefined>(undefined)
  const [from, to] = moved ?? [low, high]
  const words = (value: number) => quantityWords(value, unit)
  const ask = ([lowest, highest]: readonly [number, number]) => {
    setMoved(undefined)
    run(
      withBounds(query.peek(), field, [
        ...(lowest > 0 ? [bound('>=', edges[lowest]!)] : []),
        ...(highest < buckets.length ? [bound('<', edges[highest]!)] : []),
      ]),
    )
  }
  const bound = (operator: '>=' | '<', value: number) => ({
    operator,
    text: quantityText(value, unit),
  })
  const thumb = (side: 0 | 1, name: string) => {
    const at = [from, to][side]!
    const placed = (value: number) =>
      side === 0
        ? ([Math.min(value, to - 1), to] as const)
        : ([from, Math.max(value, from + 1)] as const)
    return (
      <input
        type="range"
        class="numeric-thumb"
        min={0}
        max={buckets.length}
        value={at}
        aria-label={`${name} of ${field}`}
        aria-valuetext={words(edges[at]!)}
        onInput={event => setMoved(placed(Number(event.currentTarget.value)))}
        onChange={event => ask(placed(Number(event.currentTarget.value)))}
      />
    )
  }
  return (
    <div class="numeric">
      <Bars buckets={buckets} from={from} to={to} words={words} />
      <div class="numeric-slider">
        {thumb(0, 'Least')}
        {thumb(1, 'Greatest')}
      </div>
      <p class="apart faint small">
        <span>{words(from === 0 ? numeric.least : edges[from]!)}</span>
        <span>{words(to === buckets.length ? numeric.greatest : edges[to]!)}</span>
      </p>
      <div class="numeric-quantiles apart small wraps">
        {['0.5', '0.95', '0.99'].map(quantile => {
          const value = rounded(numeric.quantiles[quantile]!)
          const name = `p${quantile.slice(2).padEnd(2, '0')}`
          return (
            <button
              key={quantile}
              type="button"
              class="numeric-quantile hovers bare"
              title={`Click: from ${words(value)} on. Alt-click: below it.`}
              onClick={event => {
                const operator = kindOfClick(event) === 'only' ? '>=' : '<'
                run(withBounds(query.peek(), field, [bound(operator, value)]))
              }}
            >
              <span class="faint">{name}</span> {words(value)}
            </button>
          )
        })}
      </div>
    </div>
  )
}

interface BarsProps {
  readonly buckets: NumericSummary['buckets']
  readonly from: number
  readonly to: number
  words(value: number): string
}

function Bars({ buckets, from, to, words }: BarsProps) {
  const largest = Math.max(...buckets.map(({ count }) => count))
  return (
    <div class="numeric-bars" aria-hidden="true">
      {buckets.map((bucket, at) => (
        <span
          key={at}
          class={`numeric-bar${at < from || at >= to ? ' numeric-bar-out' : ''}`}
          title={`${words(bucket.from)} – ${words(bucket.to)}: ${countText(bucket.count)}`}
          // What is there is seen, however little it is beside the largest.
          style={{
            height: bucket.count === 0 ? '0' : `max(2px, ${(100 * bucket.count) / largest}%)`,
          }}
        />
      ))}
    </div>
  )
}

/** The edges at which the query's bounds lie, or that they lie behind. */
function thumbsOf(
  field: string,
  edges: readonly number[],
  { unit }: NumericSummary,
): readonly [number, number] {
  const last = edges.length - 1
  let [low, high] = [0, last]
  for (const { operator, value } of boundsOf(query.value, field)) {
    const own = unit === 'duration' ? value / 1e9 : value
    if (operator.startsWith('>'))
      low = Math.max(
        0,
        edges.findLastIndex(edge => edge <= own),
      )
    if (operator.startsWith('<')) high = edges.findIndex(edge => edge >= own)
  }
  high = high < 0 ? last : Math.max(1, high)
  return [Math.min(low, high - 1), high]
}
