/** How long ago something was, in the largest unit that fits: for people, who ask "is it still used?". */

import { dayMs, hourMs } from '../../time-units.ts'
import { countText } from '../format.ts'

const units = [
  ['d', dayMs],
  ['h', hourMs],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** `3 min ago`; `just now` under a second, also for what a clock that differs puts ahead of us. */
export function agoText(time: number, now: number): string {
  const ms = now - time
  const unit = units.find(([, unitMs]) => ms >= unitMs)
  if (unit === undefined) return 'just now'
  const [name, unitMs] = unit
  return `${countText(Math.floor(ms / unitMs))} ${name} ago`
}
