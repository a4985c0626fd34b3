/** Small values in narrow windows: two beside each other, so that the first screen has more than three. */

import type { Widget } from './board.ts'
import type { Place } from './grid.ts'

/** Larger ones, in columns and rows of the grid, are meant to be large. */
const small = { w: 4, h: 3 }

export function isSmallStat({ type }: Pick<Widget, 'type'>, { w, h }: Place): boolean {
  return (type === 'stat' || type === 'gauge') && w <= small.w && h <= small.h
}

/**
 * Those that stand beside another: of small ones that follow each other, always two.
 * @param order Indexes in reading order.
 */
export function paired(
  order: readonly number[],
  isSmall: (index: number) => boolean,
): ReadonlySet<number> {
  const found = new Set<number>()
  for (let at = 0; at + 1 < order.length; at++) {
    const [one, other] = [order[at]!, order[at + 1]!]
    if (!isSmall(one) || !isSmall(other)) continue
    found.add(one).add(other)
    at += 1
  }
  return found
}
