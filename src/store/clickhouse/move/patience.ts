/** What ClickHouse may fail at and do a little later is asked of it again, for a while. */

import { pause } from '../../../threads/pause.ts'
import { ClickHouseFailed } from '../connection.ts'

/** Between two attempts: doubled from one to the next, ms. */
const firstPauseMs = 250
const pauseMsMax = 15_000

export interface Patience {
  /** For how long in a row ClickHouse may fail, ms. */
  readonly forMs: number
  /** Ends it: then the failure is thrown. */
  readonly signal: AbortSignal
  /** Told why it waits, and with undefined that it does no longer. */
  readonly onWait: (reason: string | undefined) => void
}

/** Throws what `work` does; ClickHouseFailed when that does not pass, or not soon enough. */
export async function patiently<Result>(
  { forMs, signal, onWait }: Patience,
  work: (attempt: number) => Promise<Result>,
): Promise<Result> {
  let failedAtMs: number | undefined
  for (let attempt = 0; ; attempt++) {
    try {
      const result = await work(attempt)
      if (attempt > 0) onWait(undefined)
      return result
    } catch (error) {
      const now = performance.now()
      failedAtMs ??= now
      const isPassing = error instanceof ClickHouseFailed && error.isPassing
      if (!isPassing || signal.aborted || now - failedAtMs >= forMs) throw error
      onWait(error.message)
      const pauseMs = Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(attempt, 16))
      await pause(Math.min(pauseMs, failedAtMs + forMs - now), signal)
    }
  }
}
