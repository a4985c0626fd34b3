/** The log viewer: a query over a range of time, its histogram and its latest records. */

import { signal } from '@preact/signals'
import { useCallback, useMemo } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import { type AnswerRecord, queryHistogram, queryLogs } from '../api/records.ts'
import { environment } from '../app/environment.tsx'
import { Chart, type ChartSeries } from '../chart/chart.tsx'
import { levelClass, levelColor, sortLevels } from '../chart/colors.ts'
import { bytesText, countText, elapsedText } from '../format.ts'
import { VirtualList } from '../list/virtual-list.tsx'
import { withMatcher } from '../query/edit.ts'
import { QueryBox } from '../query/query-box.tsx'
import { suggestFromRecords } from '../query/suggest.ts'
import { setParams } from '../state/location.ts'
import { textParam } from '../state/param-kinds.ts'
import { useRequest } from '../state/request.ts'
import { urlParam } from '../state/url-param.ts'
import { clockText } from '../time/clock.ts'
import { rangeOf, resolveRange } from '../time/range.ts'
import { setTimeRange, timeRange } from '../time/range-param.ts'
import { TimeRangeButton } from '../time/time-range.tsx'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'

const query = urlParam('query', textParam('logs'))
/** Counts up when the same query is run again: a relative range then ends now. */
const runs = signal(0)

const rowHeight = 24
const chartHeight = 96

function times() {
  const range = timeRange.peek()
  const resolved = resolveRange(range, { now: Date.now(), zone: zone.peek() })
  const now = Date.now()
  const hour = { startTime: now - 3_600_000, endTime: now }
  return { range, ...(resolved.ok ? resolved : hour) }
}

/** The query with the chosen environment, as it is asked. */
function narrowed(text: string): string {
  const name = environment.peek()
  const matcher = { label: 'environment', operator: '=', value: name } as const
  return name === '' ? text : withMatcher(text, matcher)
}

export function LogsPage() {
  const asked = JSON.stringify([query.value, timeRange.value, environment.value, runs.value])
  const suggest = useMemo(() => suggestFromRecords(times, () => narrowed('logs')), [])
  const found = useRequest(asked, signal => {
    const { startTime, endTime } = times()
    const body = { query: narrowed(query.peek()), startTime, endTime }
    return queryLogs({ ...body, limit: 1_000, order: 'desc' }, signal)
  })
  const counted = useRequest(asked, signal => {
    const { startTime, endTime } = times()
    return queryHistogram({ query: narrowed(query.peek()), startTime, endTime }, signal)
  })

  const run = (text: string) => {
    runs.value += 1
    setParams(query.change(text))
  }
  const problem = found.error instanceof ApiProblem ? found.error : undefined
  const isQueryWrong = problem?.position !== undefined
  const logs = found.answer?.logs ?? []
  return (
    <div class="logs">
      <h1 class="visually-hidden">Logs</h1>
      <div class="logs-ask">
        <QueryBox
          label="Query"
          value={query.value}
          suggest={suggest}
          problem={isQueryWrong ? problem : undefined}
          placeholder='logs{service.name="…"} |= "text"'
          onRun={run}
        />
        <TimeRangeButton value={timeRange.value} onChange={setTimeRange} />
        <Button kind="primary" title="Run the query (Enter)" onClick={() => run(query.peek())}>
          Run
        </Button>
      </div>
      <p class="logs-cost soft" role="status">
        {found.answer === undefined
          ? ' '
          : `${countText(found.answer.count)} records · ${elapsedText(found.answer.stats.elapsedMs)} · ${bytesText(found.answer.stats.bytesScanned)} read`}
      </p>
      <Histogram answer={counted.answer} />
      <div class="logs-rows">
        <Progress isBusy={found.isBusy} text="Scanning" onCancel={found.cancel} />
        {found.error !== undefined && !isQueryWrong ? (
          <ErrorState error={found.error} onRetry={found.refresh} />
        ) : found.answer !== undefined && logs.length === 0 ? (
          <EmptyState title="No record matches" icon="search">
            Ask about a longer time, or with fewer conditions.
          </EmptyState>
        ) : (
          <Rows logs={logs} />
        )}
      </div>
    </div>
  )
}

function Histogram({
  answer,
}: {
  readonly answer: Awaited<ReturnType<typeof queryHistogram>> | undefined
}) {
  const drawn = useMemo(() => {
    const buckets = answer?.buckets ?? []
    const levels = sortLevels(new Set(buckets.flatMap(({ levels }) => Object.keys(levels))))
    const series: readonly ChartSeries[] = levels.map(name => ({
      name,
      color: levelColor(name),
      values: buckets.map(({ levels }) => levels[name] ?? 0),
    }))
    return { times: buckets.map(({ start }) => start), series }
  }, [answer])
  const zoom = (startTime: number, endTime: number) => setTimeRange(rangeOf({ startTime, endTime }))
  const bucketMs = answer?.bucketMs ?? 1
  return (
    <div class="logs-chart" style={{ height: `${chartHeight}px` }}>
      {answer && (
        <Chart
          kind="bars"
          label="Records by time and level"
          {...drawn}
          bucketMs={bucketMs}
          height={chartHeight}
          onZoom={zoom}
          onPick={index => zoom(drawn.times[index]!, drawn.times[index]! + bucketMs - 1)}
        />
      )}
    </div>
  )
}

function Rows({ logs }: { readonly logs: readonly AnswerRecord[] }) {
  const shownZone = zone.value
  const renderRow = useCallback(
    ({ timestamp, log_level, message, attributes }: AnswerRecord) => (
      <div class="log-row">
        <time class="faint">{clockText(timestamp, shownZone)}</time>
        <span class={levelClass(log_level)}>{log_level}</span>
        <span class="soft truncate">{attributes['service.name']}</span>
        <span class="truncate">{message}</span>
      </div>
    ),
    [shownZone],
  )
  return (
    <VirtualList
      label="Records, the latest first"
      className="mono"
      items={logs}
      rowHeight={rowHeight}
      keyOf={recordKey}
      renderRow={renderRow}
    />
  )
}

const recordKey = ({ id }: AnswerRecord) => id
