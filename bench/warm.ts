/** What is asked again and again: the time of an answer from a service that has done this before. */
import { median } from './table.ts'

/**
 * Runs that do not count: at least so many, and for so long. An answer of one millisecond has run its
 * functions too few times in ten runs for the engine to have compiled them, as a service in use has.
 */
export const warmUpRuns = 10
const warmUpMs = 1_500
/** What is quick is timed more often than asked, for so long: a neighbour's moment must not decide. */
const timedMs = 500

/** Asks in turn for so long, as happens to a service in use: nothing of this is timed. */
export async function askInTurn(
  asks: readonly (() => Promise<unknown>)[],
  milliseconds: number,
): Promise<void> {
  const startedAt = performance.now()
  do {
    for (const ask of asks) await ask()
  } while (performance.now() - startedAt < milliseconds)
}

/** The median of at least `runs` times, in milliseconds, after the runs that do not count. */
export async function measureWarm(ask: () => Promise<number>, runs: number): Promise<number> {
  const startedAt = performance.now()
  for (let run = 0; run < warmUpRuns || performance.now() - startedAt < warmUpMs; run++) {
    await ask()
  }
  const times: number[] = []
  const timedFrom = performance.now()
  while (times.length < runs || performance.now() - timedFrom < timedMs) times.push(await ask())
  return median(times)
}

/** How the warm times of a table were taken. */
export function describeWarm(runs: number): string {
  const warmUp = `${warmUpRuns} runs and ${warmUpMs / 1000} s`
  return `warm: median of ${runs} runs or more after ${warmUp} that do not count`
}
