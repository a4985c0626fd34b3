/**
 * Durations as Prometheus writes them: `90s`, `1h30m`, `2w`. Units go from large to small, each at
 * most once; a day has 24 hours, a week 7 days, a year 365 days.
 */

import { dayMs, hourMs } from '../time-units.ts'

/** From large to small. */
export const durationUnits: ReadonlyMap<string, number> = new Map([
  ['y', 365 * dayMs],
  ['w', 7 * dayMs],
  ['d', dayMs],
  ['h', hourMs],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
])

/** A count of each unit, or none. */
function formOf(count: string): RegExp {
  return new RegExp(`^${[...durationUnits.keys()].map(unit => `(?:(${count})${unit})?`).join('')}$`)
}

const forms = { whole: formOf('[0-9]+'), fractions: formOf('[0-9]+(?:\\.[0-9]{1,6})?') } as const

/**
 * The milliseconds that `text` says, which may be more than any limit; undefined if it is not one.
 * Settings may have `fractions`, such as `1.5h`; Prometheus has none.
 */
export function parseDuration(
  text: string,
  counts: keyof typeof forms = 'whole',
): number | undefined {
  const found = forms[counts].exec(text)?.slice(1)
  if (found === undefined || text === '') return undefined
  return [...durationUnits.values()].reduce(
    (sum, unitMs, index) => sum + Number(found[index] ?? 0) * unitMs,
    0,
  )
}

/** `ms`, a whole number of 0 or more, in the largest units that are exact. */
export function printDuration(ms: number): string {
  let text = ''
  let rest = ms
  for (const [unit, unitMs] of durationUnits) {
    const count = Math.floor(rest / unitMs)
    if (count > 0) text += `${count}${unit}`
    rest -= count * unitMs
  }
  return text === '' ? '0s' : text
}
