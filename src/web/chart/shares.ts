/** Groups as parts of a whole. */

import { countText } from '../format.ts'
import { type Group, largestFirst } from './groups.ts'

export interface Slice {
  readonly name: string
  readonly color: string
  readonly total: number
}

export const slicesMax = 12

/** The largest, and all others as one. */
export function slicesOf(groups: readonly Group[]): readonly Slice[] {
  const positive = largestFirst(groups).filter(({ total }) => total > 0 && total < Infinity)
  if (positive.length <= slicesMax) return positive
  const others = positive.slice(slicesMax - 1)
  const total = others.reduce((sum, one) => sum + one.total, 0)
  const name = `${countText(others.length)} others`
  return [...positive.slice(0, slicesMax - 1), { name, color: '--line-control', total }]
}

/** What a legend says of a group, by its name: its value, and its share of all that are above zero. */
export function shareOfGroup(groups: readonly Group[], valueText: (value: number) => string) {
  const sum = groups.reduce((all, { total = 0 }) => all + Math.max(0, total), 0)
  return (name: string): string => {
    const total = groups.find(one => one.name === name)?.total
    return total === undefined ? '' : `${valueText(total)} · ${shareText(total / sum)}`
  }
}

/** Of a whole: `12 %`, `< 1 %`. */
export function shareText(share: number): string {
  const percent = 100 * share
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`
}
