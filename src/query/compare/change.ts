/**
 * How strongly the share of something in one set of records differs from its share in another.
 *
 * The measure is the log-likelihood ratio G² of the table of both sets (has it, has it not), with a sign: T.
 * Dunning, "Accurate Methods for the Statistics of Surprise and Coincidence", Computational Linguistics 19
 * (1993). It compares shares, so that twice as many records of every kind are no change, and it weighs how
 * many records speak for a difference: of what was seen once it says little, where a ratio of shares would
 * say most.
 */

export type ChangeKind = 'new' | 'gone' | 'grown' | 'shrunk' | 'same'

export interface Change {
  readonly kind: ChangeKind
  readonly countBefore: number
  /** G² with the sign of the difference, 0 where neither share is known. */
  readonly score: number
}

/** A number of records, and of how many. */
export interface Share {
  readonly count: number
  readonly total: number
}

/** G² that chance alone reaches once in a thousand times: χ² of one degree of freedom, p = 0.001. */
const chanceMax = 10.83

/** Of millions of records each difference is no chance. Below this ratio of the shares it is small. */
const ratioMin = 1.25

export function changeOf(now: Share, before: Share): Change {
  const score = signedG2(now, before)
  return { kind: kindOf(now, before, score), countBefore: before.count, score }
}

/** Whether there is a greater share than chance would give: once in a thousand times it does. */
export function isMore({ kind, score }: Change): boolean {
  return kind === 'grown' || (kind === 'new' && score >= chanceMax)
}

function kindOf(now: Share, before: Share, score: number): ChangeKind {
  if (before.count === 0) return now.count === 0 ? 'same' : 'new'
  if (now.count === 0) return 'gone'
  const ratio = (now.count * before.total) / (before.count * now.total)
  if (Math.abs(score) < chanceMax || Math.max(ratio, 1 / ratio) < ratioMin) return 'same'
  return ratio > 1 ? 'grown' : 'shrunk'
}

/** Rounded to thousandths. */
function signedG2(now: Share, before: Share): number {
  const all = now.total + before.total
  const having = now.count + before.count
  const g2 =
    part(now.count, (now.total * having) / all) +
    part(before.count, (before.total * having) / all) +
    part(now.total - now.count, (now.total * (all - having)) / all) +
    part(before.total - before.count, (before.total * (all - having)) / all)
  const isMore = now.count * before.total >= before.count * now.total
  const rounded = Math.round(2000 * g2) / 1000
  // Of equal shares rounding errors are left.
  return rounded <= 0 ? 0 : isMore ? rounded : -rounded
}

/** Of one cell of the table; nothing is to be expected where there is nothing. */
function part(observed: number, expected: number): number {
  return observed === 0 ? 0 : observed * Math.log(observed / expected)
}
