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
  /** The processor's time for the slowest case, of several tries of it. */
  readonly slowestMs: number
  readonly slowestSeed: number
}

/** Longer than this, a case counts as a hang, whatever it does. */
export const hangMs = 1_000
/** A case that takes longer is tried so often again; the shortest of its times counts. */
const slowMs = 20
const slowTries = 4
/** After so many failures there is enough to look at. */
const failuresMax = 20

export interface FuzzOptions {
  readonly seed: number
  readonly count: number
  /** Cases under way at once, for targets that wait for something. */
  readonly atOnce?: number
  /** How long a case may hold up others, ms. */
  readonly caseMsMax?: number
}

/** Tries `count` cases. */
export async function fuzz(
  target: FuzzTarget,
  { seed, count, atOnce = 1, caseMsMax = hangMs }: FuzzOptions,
): Promise<FuzzReport> {
  const failures: FuzzFailure[] = []
  let next = 0
  let slowestMs = 0
  let slowestSeed = seed
  const tryInTurn = async () => {
    while (next < count && failures.length < failuresMax) {
      const own = seed + next++
      let tookMs = Number.POSITIVE_INFINITY
      try {
        for (let tries = 0; tookMs > slowMs && tries <= slowTries; tries++) {
          tookMs = Math.min(tookMs, await timeOf(() => target.tryOne(makeRandom(own))))
        }
      } catch (error) {
        failures.push({ seed: own, reason: (error as Error).stack ?? String(error) })
        continue
      }
      if (tookMs > slowestMs) {
        slowestMs = tookMs
        slowestSeed = own
      }
      if (tookMs > caseMsMax) failures.push({ seed: own, reason: `took ${tookMs} ms` })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, tryInTurn))
  await target.end?.()
  return { count: next, failures, slowestMs, slowestSeed }
}

/** What it takes of the processor, or all in all if that is less, as where several are under way; ms. */
async function timeOf(run: () => void | Promise<void>): Promise<number> {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const outcome = run()
  if (outcome !== undefined) await outcome
  const { user, system } = process.cpuUsage(before)
  return Math.min(performance.now() - startedAt, (user + system) / 1_000)
}
