/** The colours of charts by what they mean. They are custom properties: the theme decides. */

import { levelKind, levels } from '../../levels.ts'
import { compareNames } from '../natural-order.ts'

/** From the lowest of a stack to the uppermost: what matters most lies on the ground. */
const order = levels.map(({ name }) => name)

export function levelColor(level: string): string {
  return `--bar-${levelKind(level) ?? 'debug'}`
}

/** The levels as they are stacked. */
export function sortLevels(found: Iterable<string>): string[] {
  const rank = (level: string) => (order.indexOf(level) + order.length + 1) % (order.length + 1)
  return [...found].sort((a, b) => rank(a) - rank(b) || compareNames(a, b))
}

const seriesCount = 8

/** For series that mean nothing in particular. */
export function seriesColor(index: number): string {
  return `--series-${(index % seriesCount) + 1}`
}

/** The name of the class that marks the edge of a row with the level's colour. */
export function levelEdgeClass(level: string): string {
  return levelColor(level).slice(2)
}

/** The name of the class that colours a level's word. */
export function levelClass(level: string): string {
  return levelColor(level).replace('--bar-', 'level level-').replace('fatal', 'error')
}
