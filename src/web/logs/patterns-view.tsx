/** The kinds of messages that match, and what is special about the records of the range. */

import '../shared.ts'
import { dayMs } from '../../time-units.ts'
import { type ChangesResult, queryChanges, queryPatterns } from '../api/patterns.ts'
import { countText, plural } from '../format.ts'
import { useRequest } from '../state/request.ts'
import { rangeOf, rangeText } from '../time/range.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'
import { PatternRow, shareText } from './pattern-row.tsx'
import { RecordText } from './record-text.tsx'
import {
  filterableMax,
  filterBy,
  isOnlyNew,
  kindOfClick,
  narrowedToOne,
  timesNow,
} from './shown.ts'

interface ViewProps {
  /** Changes when what is asked does. */
  readonly asked: string
}

const patternsMax = 500
const changesMax = 30
/** Of a value of a field: below it the difference may well be chance (p > 0.001, as of patterns). */
const scoreMin = 10.83

export function PatternsView({ asked }: ViewProps) {
  const found = useRequest(`${asked} ${isOnlyNew.value}`, signal => {
    const times = timesNow()
    const { startTime } = times
    const dayBefore = { startTime: startTime - dayMs, endTime: startTime - 1 }
    const compareWith = isOnlyNew.peek() ? { compareWith: dayBefore } : {}
    const query = narrowedToOne()
    return queryPatterns({ query, ...times, limit: patternsMax, ...compareWith }, signal)
  })
  const { answer } = found
  const all = answer?.patterns ?? []
  const isCompared = all.some(({ change }) => change !== undefined)
  const shown = isCompared ? all.filter(({ change }) => change?.kind === 'new') : all
  const isNoneNew = isOnlyNew.value && answer?.countBefore !== undefined && shown.length === 0
  return (
    <div class="patterns fill">
      <Progress isBusy={found.isBusy} text="Finding patterns" onCancel={found.cancel} />
      {found.error !== undefined && <ErrorState error={found.error} onRetry={found.refresh} />}
      {found.error === undefined && answer !== undefined && (
        <>
          <div class="patterns-head soft line apart wraps">
            <span>
              {isCompared || isNoneNew
                ? `${countText(shown.length)} of ${countText(all.length)} patterns are new`
                : plural(answer.patternCount, 'pattern')}
              {answer.truncated && ', of the rare ones some are left out'}
            </span>
            <Button
              isSmall
              kind="outline"
              aria-pressed={isOnlyNew.value}
              title="Only those that were not there in the day before this time"
              onClick={() => isOnlyNew.set(!isOnlyNew.peek(), 'replace')}
            >
              Only new since the day before
            </Button>
          </div>
          {shown.length === 0 ? (
            <EmptyState title={isNoneNew ? 'No new patterns' : 'No patterns'} icon="search">
              {isNoneNew
                ? 'All kinds of messages of this time were there the day before.'
                : 'No record matches in this time.'}
            </EmptyState>
          ) : (
            <ul class="pattern-list" aria-label="Patterns">
              {shown.map(one => (
                <PatternRow key={one.pattern} found={one} />
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  )
}

export function ChangesView({ asked }: ViewProps) {
  const found = useRequest(asked, signal =>
    queryChanges({ query: narrowedToOne(), ...timesNow(), limit: changesMax }, signal),
  )
  const { answer } = found
  return (
    <div class="patterns fill">
      <Progress isBusy={found.isBusy} text="Comparing" onCancel={found.cancel} />
      {found.error !== undefined ? (
        <ErrorState error={found.error} onRetry={found.refresh} />
      ) : (
        answer !== undefined && <Changes answer={answer} />
      )}
    </div>
  )
}

function Changes({ answer }: { readonly answer: ChangesResult }) {
  const { count, countBefore } = answer
  const patterns = answer.patterns.filter(({ change }) => change?.kind !== 'same')
  const values = answer.values.filter(({ score }) => score > scoreMin)
  const reading = { now: Date.now(), zone: zone.value }
  const others = answer.compareWith.map(times => rangeText(rangeOf(times), reading))
  const head = (
    <p class="patterns-head soft line apart wraps">
      <span>
        <strong>{countText(count)}</strong> records here, {countText(countBefore)} around:{' '}
        {others.join(' and ')}
      </span>
    </p>
  )
  if (patterns.length === 0 && values.length === 0) {
    return (
      <>
        {head}
        <EmptyState title="Nothing stands out" icon="check">
          Kinds of messages and values of fields have the shares that they have around this time.
        </EmptyState>
      </>
    )
  }
  return (
    <>
      {head}
      <div class="changes">
        <section aria-label="Messages that stand out">
          <h2>Messages</h2>
          <ul class="pattern-list">
            {patterns.map(one => (
              <PatternRow key={one.pattern} found={one} />
            ))}
          </ul>
          {patterns.length === 0 && <p class="faint">None stands out</p>}
        </section>
        <section aria-label="Values that stand out">
          <h2>Fields</h2>
          <ul class="changed-values">
            {values.map(one => (
              <li key={`${one.field}\u0000${one.value}`}>
                <ChangedValue {...one} />
              </li>
            ))}
          </ul>
          {values.length === 0 && <p class="faint">None stands out</p>}
        </section>
      </div>
    </>
  )
}

/** The share here over the one around. */
function ChangedValue(props: ChangesResult['values'][number]) {
  const { field, value, count, share, countBefore, shareBefore } = props
  return (
    <button
      type="button"
      class="changed-value hovers bare"
      disabled={value.length > filterableMax}
      title={`${countText(count)} here, ${countText(countBefore)} around\nClick: filter for it. Alt-click: exclude it.`}
      onClick={event => filterBy(field, value, kindOfClick(event))}
    >
      <span class="changed-name truncate">
        <span class="faint">{field} </span>
        <RecordText text={value === '' ? '""' : value.slice(0, 200)} isOneLine />
      </span>
      <span class="changed-share">
        {shareText(share)} <span class="faint">from {shareText(shareBefore)}</span>
      </span>
      <span class="changed-bars" aria-hidden="true">
        <span style={{ width: `${100 * share}%` }} />
        <span style={{ width: `${100 * shareBefore}%` }} />
      </span>
    </button>
  )
}
