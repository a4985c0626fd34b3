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
  /** Asks again. */
  refresh(): void
  /** Gives up waiting. */
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
  const [state, setState] = useState<Pick<Asked<T>, 'answer' | 'error' | 'isBusy'>>({
    answer: undefined,
    error: undefined,
    isBusy: key !== undefined,
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
      answer => isCurrent() && setState({ answer, error: undefined, isBusy: false }),
      error => {
        if (!isCurrent()) return
        const isGivenUp = isAbort(error)
        setState(before => ({
          answer: before.answer,
          error: isGivenUp ? before.error : error,
          isBusy: false,
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
