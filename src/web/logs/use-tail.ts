/** Follows a query live, for as long as the component is shown. */

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type TailState, tailLogs } from '../api/tail.ts'
import { TailBuffer, type TailView } from './tail-buffer.ts'

/** Records shown. */
const shownMax = 10_000
/** How often what arrived is taken into the list, ms: ten times a second is still read as at once. */
const lookMs = 100
/** Records that are there already when it begins. */
const lastCount = 100

/** How long a new record is marked, and how long all that comes first counts as old, ms. */
const freshMs = 2_000
const backlogMs = 500

export interface Tailing extends TailView {
  readonly state: TailState
  /** Whether the record arrived a moment ago. The same function all along. */
  isFresh(id: string): boolean
  pause(): void
  resume(): void
  clear(): void
}

/** @param query undefined: nothing is followed. */
export function useTail(query: string | undefined): Tailing {
  const buffer = useMemo(() => new TailBuffer(shownMax), [query])
  const [state, setState] = useState<TailState>('connecting')
  const [view, setView] = useState<TailView>(() => buffer.look(0))
  const latest = useRef(view)
  const look = () => {
    const next = buffer.look(Date.now())
    const before = latest.current
    const isSame = (Object.keys(next) as (keyof TailView)[]).every(key => next[key] === before[key])
    if (isSame) return
    latest.current = next
    setView(next)
  }
  const arrivals = useRef(new Map<string, number>()).current
  const isFresh = useRef((id: string) => {
    return Date.now() - (arrivals.get(id) ?? 0) < freshMs
  }).current
  useEffect(() => {
    if (query === undefined) return undefined
    const beganAt = Date.now()
    arrivals.clear()
    look()
    const stop = tailLogs(
      { query, last: lastCount },
      {
        onRecord: record => {
          const now = Date.now()
          const isNew = now - beganAt > backlogMs
          if (isNew) {
            if (arrivals.size > shownMax) arrivals.clear()
            arrivals.set(record.id, now)
          }
          buffer.add(record, now, isNew)
        },
        onDropped: count => buffer.addDropped(count),
        onState: setState,
      },
    )
    const timer = setInterval(look, lookMs)
    return () => {
      stop()
      clearInterval(timer)
    }
  }, [query])

  return {
    ...view,
    state,
    isFresh,
    pause: () => {
      buffer.pause()
      look()
    },
    resume: () => {
      buffer.resume()
      look()
    },
    clear: () => {
      buffer.clear()
      look()
    },
  }
}
