/** The cells of a heatmap: how much of the colour each has, and how keys move through them. */

import type { Group } from './groups.ts'

export interface Cell {
  readonly row: number
  readonly column: number
}

/** Also the smallest value is seen. */
const leastShade = 0.12

/** Where an arrow key leads; from nowhere to the newest of the first row. Undefined for other keys. */
export function movedCell(
  key: string,
  from: Cell | undefined,
  rows: number,
  columns: number,
): Cell | undefined {
  const steps: Readonly<Record<string, readonly [number, number]>> = {
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
  }
  const step = steps[key]
  if (step === undefined || rows === 0 || columns === 0) return undefined
  if (from === undefined) return { row: 0, column: columns - 1 }
  const within = (at: number, count: number) => Math.max(0, Math.min(count - 1, at))
  return { row: within(from.row + step[0], rows), column: within(from.column + step[1], columns) }
}

/** From a value to how much of the colour it has: by its share of the way from the least to the largest. */
export function shadesOf(groups: readonly Pick<Group, 'values'>[]): (value: number) => number {
  const known = groups.flatMap(({ values }) =>
    values.filter(value => value !== undefined && Number.isFinite(value)),
  ) as number[]
  const low = known.reduce((a, b) => Math.min(a, b), 0)
  const span = known.reduce((a, b) => Math.max(a, b), 0) - low
  return value => {
    const share = span === 0 ? 0 : Math.max(0, Math.min(1, (value - low) / span))
    return value === 0 ? 0 : leastShade + (1 - leastShade) * share
  }
}
