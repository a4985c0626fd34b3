/** Does something again and again, for as long as the page is looked at. */

import { useEffect, useRef } from 'preact/hooks'

/** Calls `run` every `intervalMs`, not while the tab is hidden, and at once when it is shown again. */
export function useEvery(intervalMs: number, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const runIfSeen = () => {
      if (!document.hidden) latest.current()
    }
    const timer = setInterval(runIfSeen, intervalMs)
    document.addEventListener('visibilitychange', runIfSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', runIfSeen)
    }
  }, [intervalMs])
}
