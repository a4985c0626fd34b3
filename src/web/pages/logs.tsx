/**
 * The log viewer: a query over a range of time; what it found as a histogram, as fields with their values,
 * and as records. What it is about is in the address; the parts lie in `logs/`.
 */

import '../shared.ts'
import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import { queryHistogram } from '../api/records.ts'
import { useCommands } from '../app/commands.ts'
import { environment } from '../app/environment.tsx'
import type { VirtualListHandle } from '../list/virtual-list.tsx'
import { AnswerCost } from '../logs/answer-cost.tsx'
import { isAggregate } from '../logs/conditions.ts'
import { ContextDialog } from '../logs/context-dialog.tsx'
import { NoRecords } from '../logs/empty.tsx'
import { FieldsPanel } from '../logs/fields-panel.tsx'
import { FieldsToggle } from '../logs/fields-toggle.tsx'
import { FoundTabs, FoundView, panelOf } from '../logs/found-tabs.tsx'
import { Histogram, Legend } from '../logs/histogram.tsx'
import { LiveBar } from '../logs/live-bar.tsx'
import { Rows } from '../logs/rows.tsx'
import { RowsEnd } from '../logs/rows-end.tsx'
import { SavedQueries } from '../logs/saved-queries.tsx'
import { isNarrow } from '../logs/screen.ts'
import {
  followedRange,
  foundTab,
  isCompared,
  isLive,
  isPanelHidden,
  linked,
  liveMs,
  narrowed,
  opened,
  order,
  query,
  refreshEvery,
  run,
  runAgain,
  runs,
  timesNow,
} from '../logs/shown.ts'
import { Toolbar } from '../logs/toolbar.tsx'
import { useAggregate } from '../logs/use-aggregate.ts'
import { usePeriodBefore } from '../logs/use-period-before.ts'
import { useRows } from '../logs/use-rows.ts'
import { type Tailing, useTail } from '../logs/use-tail.ts'
import { WordsMeaning } from '../logs/words-meaning.tsx'
import { QueryBox, type QueryBoxHandle } from '../query/query-box.tsx'
import { suggestFromRecords } from '../query/suggest.ts'
import { useEvery } from '../state/every.ts'
import { setParams } from '../state/location.ts'
import { type Asked, useAskingAgain, useRequest } from '../state/request.ts'
import { isRelative, type TimeRange, textOf } from '../time/range.ts'
import { rangeChange, timeRange } from '../time/range-param.ts'
import { TimeRangeButton } from '../time/time-range.tsx'
import { Button } from '../ui/button.tsx'
import { later } from '../ui/later.tsx'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'

const Aggregate = later(async () => (await import('../logs/aggregate.tsx')).Aggregate)
const refreshMs = { off: undefined, '10s': 10_000, '1m': 60_000 } as const
const ask = () => ({ query: narrowed(), ...timesNow() })

export function LogsPage() {
  const asked = JSON.stringify([query.value, timeRange.value, environment.value, runs.value])
  const inOrder = `${asked} ${order.value}`
  const asksValues = isAggregate(query.value)
  const isTailing = isLive.value && !asksValues
  const list = useRef<VirtualListHandle>(null)
  const isAtTop = useRef(true)

  const found = useRows(
    asksValues || isTailing ? undefined : inOrder,
    () => ({ ...ask(), order: order.peek() === 'newest' ? 'desc' : 'asc' }),
    () => linked.peek(),
  )
  const counted = useRequest(asksValues ? undefined : asked, signal =>
    queryHistogram(ask(), signal),
  )
  const before = usePeriodBefore(isCompared.value ? counted.answer : undefined)
  const aggregate = useAggregate(asksValues ? asked : undefined)
  const tailing = useTail(isTailing ? narrowed(query.value) : undefined)
  const main = asksValues ? aggregate : isTailing ? counted : found
  const problem = main.error instanceof ApiProblem ? main.error : undefined
  const isQueryWrong = problem?.position !== undefined
  const isRefused = main.error !== undefined && !isQueryWrong
  const showsValues = useLast(
    asksValues,
    isTailing || ((main.settled === asked || main.settled === inOrder) && !isQueryWrong),
  )

  const resume = useLiving({ counted, tailing, isTailing, list, isAtTop })

  const page = found.answer
  const spanMs = page === undefined ? 0 : page.asked.endTime - page.asked.startTime
  const isEmpty = !isTailing && page?.answer.count === 0 && !found.isBusy
  const isUnread = isQueryWrong && main.answer === undefined && page === undefined
  const histogram = isRefused || hasFailed(counted) ? undefined : counted.answer
  return (
    <div class="logs column fill">
      <h1 class="visually-hidden">Logs</h1>
      <Ask problem={isQueryWrong ? problem : undefined} />
      <WordsMeaning />
      <div class="logs-body fill">
        {!isPanelHidden.value && !isNarrow.value && (
          <aside class="logs-fields" aria-label="Fields">
            <FieldsPanel asked={asked} />
          </aside>
        )}
        <div class="logs-found column grows">
          <div class="logs-bar line">
            <FieldsToggle asked={asked} />
            <div class="logs-cost line grows">
              {isTailing ? (
                <LiveBar tailing={tailing} onResume={resume} />
              ) : (
                <AnswerCost
                  page={showsValues || isRefused ? undefined : page}
                  aggregate={showsValues && !isRefused ? aggregate.answer : undefined}
                />
              )}
            </div>
            {!showsValues && <Legend answer={histogram} />}
            <Toolbar canBeLive={!showsValues} />
          </div>
          {!showsValues && <Histogram answer={histogram} before={before} />}
          {!showsValues && <FoundTabs />}
          <div class="logs-rows column" {...(showsValues ? {} : panelOf(foundTab.value))}>
            <Progress isBusy={main.isBusy} text="Scanning" onCancel={main.cancel} />
            {isRefused ? (
              <ErrorState error={main.error} onRetry={main.refresh} />
            ) : isUnread ? (
              <EmptyState title="The query cannot be parsed" icon="warning">
                The mistake is marked above.
              </EmptyState>
            ) : showsValues ? (
              aggregate.answer && <Aggregate answer={aggregate.answer} />
            ) : foundTab.value !== 'records' ? (
              <FoundView key={foundTab.value} tab={foundTab.value} asked={asked} />
            ) : isEmpty ? (
              <NoRecords asked={asked} />
            ) : (
              <Rows
                logs={isTailing ? tailing.shown : found.logs}
                spanMs={isTailing ? 0 : spanMs}
                list={list}
                linkedId={linked.value}
                end={isTailing ? undefined : <RowsEnd found={found} />}
                onScroll={({ isTop }) => {
                  isAtTop.current = isTop
                  if (isTailing && !isTop && !tailing.isPaused) tailing.pause()
                }}
                {...(isTailing ? { isFresh: tailing.isFresh } : { onNearEnd: found.loadMore })}
              />
            )}
          </div>
        </div>
      </div>
      <ContextDialog />
    </div>
  )
}

interface Living {
  readonly counted: Asked<unknown>
  readonly tailing: Tailing
  readonly isTailing: boolean
  readonly list: RefObject<VirtualListHandle | null>
  /** Whether the newest records are in sight. */
  readonly isAtTop: RefObject<boolean>
}

/** What goes on by itself: the tail, asking again, back to the top. Returns what lets the tail go on. */
function useLiving({ counted, tailing, isTailing, list, isAtTop }: Living): () => void {
  useAskingAgain(counted, isTailing ? liveMs : undefined)
  // Under a tail the histogram and the fields ask again by themselves.
  useEvery(isTailing ? undefined : refreshMs[refreshEvery.value], () => {
    const isReading = isAtTop.current !== true || opened.peek().size > 0
    if (isRelative(timeRange.peek()) && !isReading) runAgain()
  })
  useEffect(() => {
    if (isTailing) setParams(rangeChange(followedRange()), 'replace')
  }, [isTailing, textOf(timeRange.value)])
  useEffect(() => {
    opened.value = new Set()
    if (linked.peek() === '') list.current?.scrollToTop()
  }, [query.value, textOf(timeRange.value), environment.value, isTailing, order.value])
  // After the above: what was open before the tail began does not pause it.
  return usePausing(tailing, isTailing, list)
}

/** The line that asks: query, saved queries, time, run. */
function Ask({ problem }: { readonly problem: ApiProblem | undefined }) {
  const suggest = useMemo(
    () =>
      suggestFromRecords(
        () => ({ range: timeRange.peek(), ...timesNow() }),
        (records = 'logs') => narrowed(records),
      ),
    [],
  )
  const box = useRef<QueryBoxHandle>(null)
  return (
    <div class="logs-ask">
      <QueryBox
        label="Query"
        value={query.value}
        suggest={suggest}
        problem={problem}
        placeholder='logs{service.name="…"} |= "text"'
        handle={box}
        onRun={run}
      />
      <SavedQueries />
      <TimeRangeButton value={timeRange.value} onChange={chooseRange} />
      <Button kind="primary" title="Run the query (Enter)" onClick={() => box.current?.run()}>
        Run
      </Button>
    </div>
  )
}

/** What is followed live reaches until now: other times end that. */
function chooseRange(range: TimeRange): void {
  setParams({ ...rangeChange(range), ...(isRelative(range) ? {} : isLive.change(false)) })
}

/** The value as it was when `isKnown` held last: what is shown stays until something else can be. */
function useLast<T>(value: T, isKnown: boolean): T {
  const last = useRef(value)
  if (isKnown) last.current = value
  return last.current
}

/** Whether there is no answer to the question, for another reason than a mistake in the query. */
function hasFailed({ error }: Asked<unknown>): boolean {
  return error !== undefined && !(error instanceof ApiProblem && error.position !== undefined)
}

/** An opened record pauses the tail, and so does a key; returns what lets it go on. */
function usePausing(
  tailing: Tailing,
  isTailing: boolean,
  list: RefObject<VirtualListHandle | null>,
): () => void {
  useEffect(() => {
    if (opened.value.size > 0 && isTailing) tailing.pause()
  }, [opened.value, isTailing])
  const resume = () => {
    opened.value = new Set()
    tailing.resume()
    list.current?.scrollToTop()
  }
  const toggle = {
    id: 'logs.pause',
    text: 'Pause or resume the live tail',
    keys: 'p',
    run: () => (tailing.isPaused ? resume() : tailing.pause()),
  }
  useCommands('Logs', isTailing ? [toggle] : [])
  return resume
}
