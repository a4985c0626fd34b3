/** What stands where no record is: why, and ways on that are known to lead somewhere. */

import { useState } from 'preact/hooks'
import { pathTo } from '../../http/page-paths.ts'
import { dayMs } from '../../time-units.ts'
import { queryLogs } from '../api/records.ts'
import { may } from '../app/session.ts'
import { countText } from '../format.ts'
import { useEvery } from '../state/every.ts'
import { setParams } from '../state/location.ts'
import { useRequest } from '../state/request.ts'
import { lastRange, rangeText, type TimeRange } from '../time/range.ts'
import { rangeChange } from '../time/range-param.ts'
import { zone } from '../time/zone.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/states.tsx'
import { withoutLastCondition } from './conditions.ts'
import { narrowed, query, run, runAgain, timesNow } from './shown.ts'

/** How often it is looked whether the first event is there, ms. */
const lookMs = 2_000

/** @param asked Changes when the query does. */
export function NoRecords({ asked }: { readonly asked: string }) {
  const any = useRequest(asked, signal => countOf('logs', allTimes(), signal))
  if (any.answer === undefined && any.isBusy) return null
  return any.answer === 0 ? <NoEvents /> : <NoMatch asked={asked} />
}

function allTimes() {
  return { startTime: 0, endTime: Date.now() + 366 * dayMs }
}

async function countOf(
  text: string,
  times: { startTime: number; endTime: number },
  signal?: AbortSignal,
): Promise<number> {
  return (await queryLogs({ query: text, ...times, limit: 1 }, signal)).count
}

/** The service has never got an event: how to send one, and a light that tells of the first. */
function NoEvents() {
  const [hasCome, setCome] = useState(false)
  useEvery(hasCome ? undefined : lookMs, async () => {
    try {
      if ((await countOf('logs', allTimes())) > 0) setCome(true)
    } catch {
      // The service is away for a moment; the next look may find it.
    }
  })
  return (
    <EmptyState
      title={hasCome ? 'The first event is here' : 'No event has arrived yet'}
      icon="logs"
      actions={
        hasCome ? (
          <Button kind="primary" onClick={runAgain}>
            Show it
          </Button>
        ) : may('admin') ? (
          <a class={buttonClass({ kind: 'primary' })} href={pathTo('settings')}>
            Make an ingestion token
          </a>
        ) : null
      }
    >
      {!hasCome &&
        (may('admin') ? (
          <p>
            An ingestion token lets a service send its logs. With it come snippets to paste, with
            the token filled in.
          </p>
        ) : (
          <p>Ask an administrator for an ingestion token: it lets a service send its logs.</p>
        ))}
      <p class={`light${hasCome ? ' light-on' : ''}`} role="status">
        <span class="light-lamp" />
        {hasCome ? 'Events are arriving' : 'Waiting for the first event'}
      </p>
    </EmptyState>
  )
}

interface Way {
  readonly text: string
  readonly count: number
  run(): void
}

/** Nothing matches: the ways that would find something, with how much. */
function NoMatch({ asked }: { readonly asked: string }) {
  const ways = useRequest(asked, async signal => {
    const found = await Promise.all(possibleWays().map(way => way(signal)))
    return found.filter(({ count }) => count > 0)
  })
  return (
    <EmptyState
      title="No record matches"
      icon="search"
      actions={ways.answer?.map(({ text, count, run }) => (
        <Button kind="outline" key={text} onClick={run}>
          <span class="truncate">{text}</span> <span class="faint">{countText(count)}</span>
        </Button>
      ))}
    >
      {ways.answer?.length === 0
        ? 'Nor does any in the last 7 days, or with one condition less.'
        : 'Try a longer time range, or fewer conditions:'}
    </EmptyState>
  )
}

function possibleWays(): ((signal: AbortSignal) => Promise<Way>)[] {
  const times = timesNow()
  const lasting = times.endTime - times.startTime
  const ranges: readonly (readonly [TimeRange, number])[] = [
    [lastRange('24h'), dayMs],
    [lastRange('7d'), 7 * dayMs],
  ]
  const wider = ranges
    .filter(([, ms]) => ms > lasting)
    .map(([range, ms]) => async (signal: AbortSignal) => {
      const now = Date.now()
      const count = await countOf(narrowed(), { startTime: now - ms, endTime: now }, signal)
      const text = rangeText(range, { now, zone: zone.peek() })
      return { text, count, run: () => setParams(rangeChange(range)) }
    })
  const fewer = withoutLastCondition(query.peek())
  if (fewer === undefined) return wider
  const without = async (signal: AbortSignal) => {
    const count = await countOf(narrowed(fewer.query), times, signal)
    return { text: `Without ${fewer.condition}`, count, run: () => run(fewer.query) }
  }
  return [...wider, without]
}
