/** The colours of charts by what they mean. They are custom properties: the theme decides. */

import { compareNames } from '../natural-order.ts'

const levelBars: Readonly<Record<string, string>> = {
  fatal: '--bar-fatal',
  critical: '--bar-fatal',
  alert: '--bar-fatal',
  emergency: '--bar-fatal',
  panic: '--bar-fatal',
  error: '--bar-error',
  err: '--bar-error',
  warn: '--bar-warn',
  warning: '--bar-warn',
  info: '--bar-info',
  notice: '--bar-info',
  debug: '--bar-debug',
  trace: '--bar-debug',
}

/** From the lowest of a stack to the uppermost: what matters most lies on the ground. */
const order = Object.keys(levelBars)

export function levelColor(level: string): string {
  return levelBars[level] ?? '--bar-debug'
}

/** The levels as they are stacked. */
export function sortLevels(levels: Iterable<string>): string[] {
  const rank = (level: string) => (order.indexOf(level) + order.length + 1) % (order.length + 1)
  return [...levels].sort((a, b) => rank(a) - rank(b) || compareNames(a, b))
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
