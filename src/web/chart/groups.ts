/** What is drawn of values: groups with their course over time and their value over the whole of it. */

import { compareNames } from '../natural-order.ts'
import type { ChartSeries } from './chart.tsx'
import { levelColor, seriesColor, sortLevels } from './colors.ts'

export interface Group extends ChartSeries {
  readonly labels: Readonly<Record<string, string>>
  /** Over the whole time; undefined where it is not known, or none. */
  readonly total: number | undefined
}

/** Of what draws groups; read out as `label`. */
export interface GroupsProps {
  readonly label: string
  readonly groups: readonly Group[]
  valueText(value: number): string
}

type Labelled = Pick<Group, 'labels' | 'name'>

/**
 * Colours for groups that have none. Levels have their own, and the order in which they are stacked; all
 * others have them by their place in the list, which stays.
 */
export function colored<T extends Labelled>(groups: readonly T[]): (T & { color: string })[] {
  const areLevels =
    groups.length > 0 && groups.every(({ labels }) => Object.keys(labels).join() === 'log_level')
  if (!areLevels) return groups.map((group, at) => ({ ...group, color: seriesColor(at) }))
  const levels = sortLevels(new Set(groups.map(({ labels }) => labels.log_level ?? '')))
  return levels.flatMap(level =>
    groups
      .filter(({ labels }) => labels.log_level === level)
      .map(group => ({ ...group, color: levelColor(level) })),
  )
}

/** The groups that have a value over the whole time, the largest first. */
export function largestFirst(groups: readonly Group[]): (Group & { total: number })[] {
  return groups
    .flatMap(group =>
      group.total === undefined || Number.isNaN(group.total)
        ? []
        : [{ ...group, total: group.total }],
    )
    .sort((a, b) => b.total - a.total || compareNames(a.name, b.name))
}
