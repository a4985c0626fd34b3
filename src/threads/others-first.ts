/** What a service does of itself, which gives way to those who ask it something. */
import { setTimeout as pause } from 'node:timers/promises'

/** Between two looks at whether anybody asks, ms. */
const lookMs = 20

/** Who decides whether such work may go on now. */
export interface OthersFirst {
  /** Whether others ask at this moment, or did just now. */
  isWanted(): boolean
  readonly signal: AbortSignal
}

/** Resolves when nobody asks. Rejects with the signal's reason. */
export async function othersFirst({ isWanted, signal }: OthersFirst): Promise<void> {
  while (isWanted()) await pause(lookMs, undefined, { signal })
  signal.throwIfAborted()
}
