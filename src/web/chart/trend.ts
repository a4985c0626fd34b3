/** How a value has changed: in words, and as a small line. */

import { compactText } from '../format.ts'
import { shareText } from './shares.ts'
import type { Values } from './stack.ts'

/** From here on a share in percent is hard to read. */
const manyTimes = 10

/** How much more or less than before; a word where there is no share to tell. */
export function trendText(now: number, before: number | undefined): string {
  if (before === undefined || !Number.isFinite(before) || !Number.isFinite(now)) {
    return 'nothing before'
  }
  if (before === now) return 'as before'
  if (before === 0) return now > 0 ? '▲ from 0 before' : '▼ from 0 before'
  const factor = now / before
  if (factor >= manyTimes) return `▲ ${compactText(factor)} times as much as before`
  const share = shareText(Math.abs(factor - 1))
  return `${now > before ? '▲' : '▼'} ${share} ${now > before ? 'more' : 'less'} than before`
}

/** Units of its drawing, which takes any width. */
export const sparkWidth = 100
export const sparkHeight = 24

/** From the lowest or zero to the highest; where there is no value the line ends. */
export function sparkPath(values: Values): string {
  const known = values.filter(value => value !== undefined)
  const low = Math.min(0, ...known)
  const span = Math.max(0, ...known) - low || 1
  const step = sparkWidth / Math.max(1, values.length - 1)
  const inner = sparkHeight - 2
  let path = ''
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue
    const command = values[at - 1] === undefined ? 'M' : 'L'
    const y = sparkHeight - 1 - ((value - low) / span) * inner
    path += `${command}${round(at * step)} ${round(y)}`
  }
  return path
}

function round(value: number): number {
  return Math.round(100 * value) / 100
}
