/** Days as dates such as `2026-11-20`, which no zone moves. */

import { dayMs } from '../../time-units.ts'

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayAt = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The days of the month's weeks, from a Monday on. */
export function daysOf(day: string): string[] {
  const first = timeOf(`${day.slice(0, 7)}-01`)
  const weekday = (new Date(first).getUTCDay() + 6) % 7
  const start = first - weekday * dayMs
  const next = timeOf(`${monthBy(day, 1).slice(0, 7)}-01`)
  const weeks = Math.ceil((next - start) / (7 * dayMs))
  return Array.from({ length: 7 * weeks }, (_, index) => dayAt(start + index * dayMs))
}

/** The same day of another month, or its last. */
export function monthBy(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return dayAt(Date.UTC(year, month - 1 + months, Math.min(date, last)))
}

/** The day that a key goes to; undefined for any other key. */
export function dayBy(key: string, day: string): string | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -7,
    ArrowDown: 7,
  }
  if (key === 'PageUp') return monthBy(day, -1)
  if (key === 'PageDown') return monthBy(day, 1)
  const days = steps[key]
  return days === undefined ? undefined : dayAt(timeOf(day) + days * dayMs)
}
