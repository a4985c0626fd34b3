/** Does something again and again, for as long as the page is looked at. */

import { useEffect, useRef } from 'preact/hooks'

/**
 * Calls `run` every `intervalMs`, not while the tab is hidden; never where the interval is undefined.
 * @param isAtOnce Also when the tab is shown again.
 */
export function useEvery(
  intervalMs: number | undefined,
  run: () => unknown,
  isAtOnce = false,
): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    if (intervalMs === undefined) return undefined
    const runIfSeen = () => {
      if (!document.hidden) latest.current()
    }
    const timer = setInterval(runIfSeen, intervalMs)
    if (isAtOnce) document.addEventListener('visibilitychange', runIfSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', runIfSeen)
    }
  }, [intervalMs])
}
