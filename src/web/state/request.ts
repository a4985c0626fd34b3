/**
 * A question to the service whose answer a view shows. A new question cancels the one before; its answer,
 * and also its failure, stays until the new one is there.
 */

import { useEffect, useRef, useState } from 'preact/hooks'
import { isAbort } from '../api/problem.ts'

export interface Asked<T> {
  /** The last answer, also while a new one is on its way, or did not come. */
  readonly answer: T | undefined
  /** Why the last question failed; undefined when it did not. */
  readonly error: unknown
  readonly isBusy: boolean
  /** The key of the last question that was answered, or failed. */
  readonly settled: string | undefined
  /** Asks again. */
  refresh(): void
  /** Stops waiting. */
  cancel(): void
}

/**
 * Asks whenever `key` changes, and not at all while it is undefined.
 * @param key What the question is about, as text.
 */
export function useRequest<T>(
  key: string | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Asked<T> {
  const [state, setState] = useState<Omit<Asked<T>, 'refresh' | 'cancel'>>({
    answer: undefined,
    error: undefined,
    isBusy: key !== undefined,
    settled: undefined,
  })
  const [turn, setTurn] = useState(0)
  const latest = useRef(ask)
  latest.current = ask
  const controller = useRef<AbortController | undefined>(undefined)
  useEffect(() => {
    if (key === undefined) return undefined
    const own = new AbortController()
    controller.current = own
    setState(before => ({ ...before, isBusy: true }))
    const isCurrent = () => controller.current === own
    latest.current(own.signal).then(
      answer => isCurrent() && setState({ answer, error: undefined, isBusy: false, settled: key }),
      error => {
        if (!isCurrent()) return
        const isGivenUp = isAbort(error)
        setState(before => ({
          answer: before.answer,
          error: isGivenUp ? before.error : error,
          isBusy: false,
          settled: isGivenUp ? before.settled : key,
        }))
      },
    )
    return () => {
      controller.current = undefined
      own.abort()
    }
  }, [key, turn])

  return {
    ...state,
    refresh: () => setTurn(before => before + 1),
    cancel: () => controller.current?.abort(),
  }
}

/** Of the time between two questions at most this part is spent on answers. */
const busyPart = 0.2

/**
 * Asks again and again while the page is looked at, `everyMs` after the last answer, and later when
 * answers take long. A question that is under way is never given up for the next.
 */
export function useAskingAgain(request: Asked<unknown>, everyMs: number | undefined): void {
  const latest = useRef(request)
  latest.current = request
  const askedAt = useRef(0)
  const { isBusy } = request
  useEffect(() => {
    if (isBusy) askedAt.current = performance.now()
    if (isBusy || everyMs === undefined) return undefined
    const tookMs = performance.now() - askedAt.current
    const timer = setInterval(
      () => {
        if (!document.hidden) latest.current.refresh()
      },
      Math.max(everyMs, tookMs / busyPart),
    )
    return () => clearInterval(timer)
  }, [isBusy, everyMs])
}
