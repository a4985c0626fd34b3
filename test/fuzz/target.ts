/**
 * Fuzzing: inputs made from a seed, tried on one part of the service, and judged by what must hold for
 * any input whatever: it is taken and right, or refused in the way that the part promises, soon.
 *
 * Every case has a seed of its own, the run's seed plus the case's number, so that a failure is
 * repeated by `--seed=<its seed> --count=1`.
 */
import { makeRandom, type Random } from '../../bench/random.ts'

export interface FuzzTarget {
  /** Makes one input and tries it. Throws what is wrong with the outcome. */
  tryOne(random: Random): void | Promise<void>
  /** Lets go of everything; throws what is wrong after all cases. */
  end?(): void | Promise<void>
}

export interface FuzzFailure {
  readonly seed: number
  readonly reason: string
}

export interface FuzzReport {
  readonly count: number
  readonly failures: readonly FuzzFailure[]
  /** Time of the slowest case. */
  readonly slowestMs: number
  readonly slowestSeed: number
}

/** Longer than this, a case counts as a hang. */
export const hangMs = 1_000
/** After so many failures there is enough to look at. */
const failuresMax = 20

/** Tries `count` cases; so many at once, for targets that wait for something. */
export async function fuzz(
  target: FuzzTarget,
  { seed, count, atOnce = 1 }: { seed: number; count: number; atOnce?: number },
): Promise<FuzzReport> {
  const failures: FuzzFailure[] = []
  let next = 0
  let slowestMs = 0
  let slowestSeed = seed
  const tryInTurn = async () => {
    while (next < count && failures.length < failuresMax) {
      const own = seed + next++
      const startedAt = performance.now()
      try {
        const outcome = target.tryOne(makeRandom(own))
        if (outcome !== undefined) await outcome
      } catch (error) {
        failures.push({ seed: own, reason: (error as Error).stack ?? String(error) })
      }
      const elapsedMs = performance.now() - startedAt
      if (elapsedMs > slowestMs) {
        slowestMs = elapsedMs
        slowestSeed = own
      }
      if (elapsedMs > hangMs) failures.push({ seed: own, reason: `took ${elapsedMs} ms` })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, tryInTurn))
  await target.end?.()
  return { count: next, failures, slowestMs, slowestSeed }
}
