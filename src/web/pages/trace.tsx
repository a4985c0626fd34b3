/**
 * One trace at its address: all of its records in order of time, services as lanes above them with the
 * stretches in which nothing happened, and the way to a tracer elsewhere.
 */

import '../shared.ts'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type AnswerRecord, queryTrace, type TraceResult } from '../api/records.ts'
import { levelColor } from '../chart/colors.ts'
import { countText, elapsedText } from '../format.ts'
import type { VirtualListHandle } from '../list/virtual-list.tsx'
import { ContextDialog } from '../logs/context-dialog.tsx'
import { idPlace, tracerHref } from '../logs/links.ts'
import { Rows } from '../logs/rows.tsx'
import { logsHref, marked, opened, timesHere, wholeSeconds } from '../logs/shown.ts'
import { gapsOf, type Lane, lanesOf } from '../logs/trace-lanes.ts'
import { kept } from '../state/kept.ts'
import { place } from '../state/location.ts'
import { textParam } from '../state/param-kinds.ts'
import { useRequest } from '../state/request.ts'
import { fullText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Popover, usePopover } from '../ui/popover.tsx'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'

export function TracePage() {
  const traceId = place.value?.id ?? ''
  const found = useRequest(traceId, signal => queryTrace({ traceId }, signal))
  const { answer } = found
  const records = useMore(answer)
  useEffect(() => {
    opened.value = new Set()
  }, [traceId])
  // What is asked for from here is of the same time.
  useEffect(() => {
    const { startTime, endTime } = answer ?? {}
    const isKnown = startTime !== undefined && endTime !== undefined
    timesHere.value = isKnown ? wholeSeconds({ startTime, endTime }) : undefined
    return () => {
      timesHere.value = undefined
    }
  }, [answer])
  return (
    <div class="trace column fill">
      <div class="trace-head line wraps">
        <h1 class="trace-title line">
          Trace <span class="mono trace-id">{traceId}</span>
          <CopyButton isSmall label="Copy the trace's id" text={traceId} />
        </h1>
        {answer !== undefined && <Summary trace={answer} />}
        <Tracer traceId={traceId} />
      </div>
      <div class="logs-rows column">
        <Progress isBusy={found.isBusy} text="Looking for the trace" onCancel={found.cancel} />
        {found.error !== undefined ? (
          <ErrorState error={found.error} onRetry={found.refresh} />
        ) : answer?.count === 0 ? (
          <EmptyState title="No records of this trace" icon="search">
            None has this id, or retention has deleted them.
          </EmptyState>
        ) : (
          answer !== undefined && <Traced trace={answer} {...records} />
        )}
      </div>
      <ContextDialog />
    </div>
  )
}

function Summary({ trace }: { readonly trace: TraceResult }) {
  const { count, services, startTime = 0, endTime = 0 } = trace
  const errors = services.reduce((sum, one) => sum + one.errors, 0)
  return (
    <p class="trace-summary soft">
      <strong>{countText(count)}</strong> {count === 1 ? 'record' : 'records'} ·{' '}
      {services.length === 1 ? '1 service' : `${services.length} services`} ·{' '}
      {elapsedText(endTime - startTime)}
      {errors > 0 && ` · ${countText(errors)} ${errors === 1 ? 'error' : 'errors'}`}
      <span class="faint"> from {fullText(startTime, zone.value)}</span>
    </p>
  )
}

interface TracedProps {
  readonly trace: TraceResult
  readonly records: readonly AnswerRecord[]
  loadMore(): void
}

function Traced({ trace, records, loadMore }: TracedProps) {
  const list = useRef<VirtualListHandle>(null)
  const lanes = useMemo(() => lanesOf(trace, records), [trace, records])
  const gaps = useMemo(
    () =>
      gapsOf(
        trace,
        records.map(({ timestamp }) => timestamp),
      ),
    [records],
  )
  const show = (index: number) => {
    marked.value = records[index]?.id
    list.current?.showRow(index)
  }
  return (
    <>
      <section class="lanes" aria-label="Services of the trace">
        <div class="lanes-time apart faint small" aria-hidden="true">
          <span>0</span>
          <span>{elapsedText((trace.endTime ?? 0) - (trace.startTime ?? 0))}</span>
        </div>
        {gaps.map(({ from, to, ms }) => (
          <div key={from} class="lanes-area" aria-hidden="true">
            <span
              class="lanes-gap faint"
              style={{ left: percent(from), width: percent(to - from) }}
              title={`${elapsedText(ms)} without a record`}
            >
              {elapsedText(ms)}
            </span>
          </div>
        ))}
        <ul>
          {lanes.map(lane => (
            <LaneView key={lane.service} lane={lane} onShow={show} />
          ))}
        </ul>
      </section>
      <Rows
        logs={records}
        order="oldest"
        spanMs={(trace.endTime ?? 0) - (trace.startTime ?? 0)}
        list={list}
        onNearEnd={loadMore}
      />
    </>
  )
}

function LaneView({ lane, onShow }: { readonly lane: Lane; onShow(index: number): void }) {
  const { service, count, errors, from, to, marks } = lane
  const query = `logs{service.name=${JSON.stringify(service)}}`
  return (
    <li class="lane">
      <a class="lane-name truncate" href={logsHref(query)}>
        {service}
      </a>
      <span class="lane-count faint small">
        {countText(count)}
        {errors > 0 && <span class="level level-error"> {countText(errors)} !</span>}
        {errors > 0 && <span class="visually-hidden"> of them errors</span>}
      </span>
      {/* biome-ignore lint/a11y: the list below has the keys. */}
      <div
        class="lane-track"
        onClick={event => {
          const { left, width } = event.currentTarget.getBoundingClientRect()
          const at = (event.clientX - left) / width
          const nearest = marks.toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0]
          if (nearest !== undefined) onShow(nearest.index)
        }}
      >
        <span class="lane-span" style={{ left: percent(from), width: percent(to - from) }} />
        {marks.map(({ index, at, level }) => (
          <span
            key={index}
            class="lane-mark"
            style={{ left: percent(at), background: `var(${levelColor(level)})` }}
          />
        ))}
      </div>
    </li>
  )
}

const percent = (share: number) => `${(100 * share).toFixed(3)}%`

/** The way to where spans are shown: a link with a place for the trace's id. */
const tracerTemplate = kept('tracer', textParam())

/** The link to a tracer, and where it is told which. */
function Tracer({ traceId }: { readonly traceId: string }) {
  const { anchor, isOpen, close, button } = usePopover()
  const href = tracerHref(tracerTemplate.value, traceId)
  return (
    <div class="trace-ways at-end">
      {href !== undefined && (
        <a
          class={buttonClass({ isSmall: true, kind: 'outline' })}
          href={href}
          target="_blank"
          rel="noopener noreferrer"
        >
          <Icon name="external" />
          Open in tracer
        </a>
      )}
      <Button isSmall icon="settings" aria-haspopup="dialog" buttonRef={anchor} {...button}>
        {href === undefined ? 'Link to a tracer' : 'Tracer'}
      </Button>
      {isOpen && (
        <Popover anchor={anchor} label="Link to a tracer" takesFocus onClose={close}>
          <TracerForm onDone={close} />
        </Popover>
      )}
    </div>
  )
}

function TracerForm({ onDone }: { onDone(): void }) {
  const [text, setText] = useState(tracerTemplate.peek())
  const [isTried, setTried] = useState(false)
  const isWrong = text.trim() !== '' && tracerHref(text, 'x') === undefined
  return (
    <form
      class="tracer-form column"
      onSubmit={event => {
        event.preventDefault()
        setTried(true)
        if (isWrong) return
        tracerTemplate.set(text.trim())
        onDone()
      }}
    >
      <Field
        label="Address of a trace"
        placeholder={`https://tempo/trace/${idPlace}`}
        hint={`http or https, with ${idPlace} in it. Kept by this browser.`}
        error={isTried && isWrong ? `write an http(s) address with ${idPlace} in it` : undefined}
        value={text}
        onChange={setText}
      />
      <Button kind="primary" type="submit">
        Keep
      </Button>
    </form>
  )
}

/** The records of the first answer and of those that are asked for further down. */
function useMore(first: TraceResult | undefined) {
  const [more, setMore] = useState<TraceResult[]>([])
  const own = more[0]?.traceId === first?.traceId ? more : []
  const isBusy = useRef(false)
  const records = useMemo(() => [first, ...own].flatMap(one => one?.records ?? []), [first, own])
  const cursor = (own.at(-1) ?? first)?.nextCursor
  const loadMore = async () => {
    if (first === undefined || cursor === undefined || isBusy.current) return
    isBusy.current = true
    try {
      setMore([...own, await queryTrace({ traceId: first.traceId, cursor })])
    } finally {
      isBusy.current = false
    }
  }
  return { records, loadMore: () => void loadMore() }
}
