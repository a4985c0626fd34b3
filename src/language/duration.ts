/**
 * Durations as Prometheus writes them: `90s`, `1h30m`, `2w`. Units go from large to small, each at
 * most once; a day has 24 hours, a week 7 days, a year 365 days.
 */

const unitsMs = {
  y: 365 * 86_400_000,
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
} as const

const units = Object.entries(unitsMs)
const form = new RegExp(`^${units.map(([unit]) => `(?:([0-9]+)${unit})?`).join('')}$`)

/** The milliseconds that `text` says, which may be more than any limit; undefined if it is none. */
export function parseDuration(text: string): number | undefined {
  const counts = form.exec(text)?.slice(1)
  if (counts === undefined || text === '') return undefined
  return units.reduce((sum, [, unitMs], index) => sum + Number(counts[index] ?? 0) * unitMs, 0)
}

/** `ms`, a whole number of 0 or more, in the largest units that are exact. */
export function printDuration(ms: number): string {
  let text = ''
  let rest = ms
  for (const [unit, unitMs] of units) {
    const count = Math.floor(rest / unitMs)
    if (count > 0) text += `${count}${unit}`
    rest -= count * unitMs
  }
  return text === '' ? '0s' : text
}
