/** A wait that a signal ends. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after so long, or when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined)
}
