/**
 * When a rule is evaluated: at the whole multiples of its interval since 1970, after every restart the
 * same ones, so that a preview and all evaluations are about the same moments.
 */
import { limits } from '../limits.ts'
import type { Timestamp } from '../record.ts'
import type { Rule } from './rule.ts'
import { type Moments, momentAt } from './samples.ts'

/** The last moment up to `now`. */
export function lastMoment({ everyMs }: Pick<Rule, 'everyMs'>, now: Timestamp): Timestamp {
  return Math.floor(now / everyMs) * everyMs
}

/**
 * The moments that are due: mostly one; all that were missed, up to a bound, after a restart or a query
 * that took long. Undefined when none is.
 * @param evaluatedFor The last moment that was evaluated; undefined for none yet. One that is far in
 *   the future was taken by a wrong clock, and does not count.
 */
export function dueMoments(
  rule: Pick<Rule, 'everyMs'>,
  evaluatedFor: Timestamp | undefined,
  now: Timestamp,
): Moments | undefined {
  const { everyMs: stepMs } = rule
  const last = lastMoment(rule, now)
  if (evaluatedFor === undefined || evaluatedFor > now + stepMs) {
    return { first: last, stepMs, count: 1 }
  }
  if (evaluatedFor >= last) return undefined
  const missed = Math.ceil((last - evaluatedFor) / stepMs)
  const count = Math.min(missed, limits.alertCatchUpRunsMax)
  return { first: last - (count - 1) * stepMs, stepMs, count }
}

/**
 * The moments of a preview: those between two times, the last ones when there are too many.
 * @returns Undefined when there is none between them.
 */
export function momentsBetween(
  rule: Pick<Rule, 'everyMs'>,
  startTime: Timestamp,
  endTime: Timestamp,
): Moments | undefined {
  const { everyMs: stepMs } = rule
  const last = lastMoment(rule, endTime)
  const count = Math.min(Math.floor((last - startTime) / stepMs) + 1, limits.alertPreviewRunsMax)
  return count < 1 ? undefined : { first: last - (count - 1) * stepMs, stepMs, count }
}

export const endOf = (moments: Moments): Timestamp => momentAt(moments, moments.count - 1)
