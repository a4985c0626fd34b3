/** One value: as a number, or on a gauge between its ends. Of a query that groups, one for each group. */

import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { numberText } from '../../format.ts'
import { compareNames } from '../../natural-order.ts'
import { Progress } from '../../ui/states.tsx'
import type { Widget } from '../model/board.ts'
import { seriesName, statBuckets } from '../model/buckets.ts'
import { reduced, reductionOf } from '../model/reduce.ts'
import { reached } from '../model/thresholds.ts'
import { useShown } from '../shown.ts'
import type { ChartWidgetProps } from './chart-widget.tsx'
import { PanelError, PanelNote } from './panel-states.tsx'
import { useSeries } from './use-series.ts'

/** More groups than fit. */
const shownMax = 12
/** Width of a unit's letters, and the space before it, beside the value's. */
const unitShare = 0.7

export function StatWidget({ widget, isInSight }: Omit<ChartWidgetProps, 'height'>) {
  const { times } = useShown()
  const { startTime, endTime } = times
  const bucketSeconds = widget.queries[0]?.bucketSeconds ?? 0
  const buckets = useMemo(
    () => statBuckets(bucketSeconds, times),
    [bucketSeconds, startTime, endTime],
  )
  const found = useSeries(widget, buckets, isInSight)
  const reduction = reductionOf(widget.reduction)
  const series = found.answer?.answers[0] ?? []
  const values = series.flatMap(({ labels, points }) => {
    const finite = points.map(({ value }) => value).filter(Number.isFinite)
    const value = reduced(finite, reduction)
    return value === undefined ? [] : [{ name: seriesName(labels, '', false), value }]
  })
  const failure = found.answer?.errors.get(0) ?? found.error
  const only = values.length === 1 ? values[0] : undefined
  return (
    <div class="stat-widget column fill">
      <Progress isBusy={found.isBusy} text="Scanning" onCancel={found.cancel} />
      {widget.queries.length === 0 && <PanelNote>No query yet.</PanelNote>}
      {failure !== undefined && (
        <PanelError
          error={failure}
          query={widget.queries[0]?.query ?? ''}
          onRetry={found.refresh}
        />
      )}
      {failure === undefined && found.answer !== undefined && values.length === 0 && (
        <PanelNote>No value in this time range</PanelNote>
      )}
      {only !== undefined && failure === undefined && <Stat widget={widget} value={only.value} />}
      {values.length > 1 && (
        <dl class="stat-list fill">
          {values
            .toSorted((a, b) => b.value - a.value || compareNames(a.name, b.name))
            .slice(0, shownMax)
            .map(({ name, value }) => (
              <div class="apart" key={name}>
                <dt class="truncate">{name}</dt>
                <dd class={`strong ${toneClass(widget, value)}`}>
                  {withUnit(value, widget.label)}
                </dd>
              </div>
            ))}
        </dl>
      )}
    </div>
  )
}

function Stat({ widget, value }: { readonly widget: Widget; readonly value: number }) {
  const threshold = reached(value, widget.thresholds)
  const name = threshold?.label
  const chars = numberText(value).length + Math.ceil(unitShare * widget.label.length)
  const shown = (
    <p class={`stat ${toneClass(widget, value)}`} style={{ '--chars': String(chars) }}>
      {numberText(value)}
      {widget.label !== '' && <span class="stat-unit soft"> {widget.label}</span>}
      {name && <span class="stat-name">{name}</span>}
    </p>
  )
  return widget.type === 'gauge' ? (
    <Gauge widget={widget} value={value}>
      {shown}
    </Gauge>
  ) : (
    shown
  )
}

/** Half a circle, of radius 40 around (50, 46). */
const arc = 'M10 46a40 40 0 0 1 80 0'
const arcLength = Math.PI * 40

function Gauge({
  widget: { min, max, thresholds },
  value,
  children,
}: {
  readonly widget: Widget
  readonly value: number
  readonly children: ComponentChildren
}) {
  const share = Math.max(0, Math.min(1, (value - min) / (max - min)))
  const tone = reached(value, thresholds)?.tone ?? 'plain'
  return (
    <div class="gauge fill">
      <div class="gauge-dial">
        <svg viewBox="0 0 100 52" aria-hidden="true">
          <path class="gauge-ground" d={arc} />
          <path
            class={`gauge-value tone-${tone}`}
            d={arc}
            stroke-dasharray={`${share * arcLength} ${arcLength}`}
          />
        </svg>
        {children}
        <div class="gauge-ends faint apart">
          <span class="visually-hidden">on a gauge from</span>
          <span>{numberText(min)}</span>
          <span class="visually-hidden">to</span>
          <span>{numberText(max)}</span>
        </div>
      </div>
    </div>
  )
}

function toneClass({ thresholds }: Widget, value: number): string {
  return `tone-${reached(value, thresholds)?.tone ?? 'plain'}`
}

function withUnit(value: number, unit: string): string {
  return unit === '' ? numberText(value) : `${numberText(value)} ${unit}`
}
