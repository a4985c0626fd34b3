/** What a rule would have done over the last day: in words, drawn with its threshold, and each firing. */

import { useEffect, useMemo, useState } from 'preact/hooks'
import { type Preview, previewRule, type Rule } from '../api/alerts.ts'
import { Chart } from '../chart/chart.tsx'
import { colored } from '../chart/groups.ts'
import { numberText } from '../format.ts'
import { labelsText } from '../logs/group-values.ts'
import { useRequest } from '../state/request.ts'
import { dateTimeText } from '../time/clock.ts'
import { durationWords } from '../time/range.ts'
import { zone } from '../time/zone.ts'
import { explain, Progress } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { alertColumns } from './alert-columns.tsx'
import { previewText } from './rule-text.ts'

const chartHeight = 200
const firingsMax = 50
/** After the last key, ms: each preview reads a day. */
const typingMs = 500

/** @param rule Undefined while it cannot be read. */
export function RulePreview({ rule }: { readonly rule: Rule | undefined }) {
  const settled = useSettled(rule === undefined ? undefined : JSON.stringify(rule))
  const found = useRequest(settled, signal => previewRule(JSON.parse(settled!), signal))
  const { answer, error, isBusy } = found
  return (
    <section class="alert-preview" aria-label="Preview">
      <Progress isBusy={isBusy} text="Evaluating the last day" onCancel={found.cancel} />
      <div role="status">
        <h2 class="alert-heading">
          {error !== undefined
            ? 'No preview'
            : answer === undefined
              ? 'Preview'
              : previewText(answer)}
        </h2>
      </div>
      {error !== undefined && <p class="tone-bad">{explain(error).detail}</p>}
      {error === undefined && answer !== undefined && rule !== undefined && (
        <Evaluated preview={answer} threshold={rule.condition.threshold} />
      )}
    </section>
  )
}

function Evaluated({ preview, threshold }: { preview: Preview; threshold: number }) {
  const { startTime, everyMs, series, seriesCount, firings } = preview
  const drawn = useMemo(() => {
    const count = Math.max(0, ...series.map(({ points }) => points.length))
    const times = Array.from({ length: count }, (_, at) => startTime + at * everyMs)
    const named = series.map(({ labels, points }) => ({
      name: labelsText(labels),
      labels,
      values: times.map((_, at) => points[at] ?? undefined),
    }))
    return { times, series: colored(named) }
  }, [preview])
  const marks = useMemo(
    () => [{ value: threshold, label: numberText(threshold), color: '--danger' }],
    [threshold],
  )
  return (
    <>
      {drawn.times.length > 0 && (
        <Chart
          kind="lines"
          label="Value at each evaluation"
          {...drawn}
          height={chartHeight}
          marks={marks}
          valueText={numberText}
        />
      )}
      {seriesCount > series.length && (
        <p class="faint">
          {series.length} of {seriesCount} groups are drawn.
        </p>
      )}
      {firings.length > 0 && (
        <Table
          label="When it would have fired"
          rows={firings.slice(0, firingsMax)}
          keyOf={({ labels, startedAt }) => `${startedAt} ${JSON.stringify(labels)}`}
          columns={[
            {
              title: 'From',
              cell: ({ startedAt }) => dateTimeText(startedAt, zone.value).slice(0, 19),
            },
            {
              title: 'For',
              cell: ({ startedAt, resolvedAt }) =>
                resolvedAt === null ? 'still' : durationWords(resolvedAt - startedAt),
            },
            ...alertColumns,
          ]}
        />
      )}
    </>
  )
}

/** The text once it has stayed the same for a while; the first one at once. */
function useSettled(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
