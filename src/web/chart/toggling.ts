/**
 * Which series are shown, as a legend changes it. `only` are the names of those that are shown alone; none:
 * all are. Names that are not there, such as those of another query, count for nothing.
 */

import { type Drawing, hasLegend } from './drawings.ts'

/** The names that are shown. */
export function shownOf(all: readonly string[], only: readonly string[]): readonly string[] {
  const shown = all.filter(name => only.includes(name))
  return shown.length === 0 ? all : shown
}

/** The groups that are drawn: all of them where no legend lets one choose. */
export function drawnOf<T extends { readonly name: string }>(
  groups: readonly T[],
  only: readonly string[],
  drawing: Drawing,
): readonly T[] {
  if (!hasLegend(drawing)) return groups
  const names = groups.map(({ name }) => name)
  const shown = shownOf(names, only)
  return groups.filter(({ name }) => shown.includes(name))
}

/**
 * `only` after one of `all` was clicked. A click shows it alone, and the next one all again; with
 * `keepsOthers` it comes or goes, and the others stay as they are.
 */
export function toggled(
  all: readonly string[],
  only: readonly string[],
  name: string,
  keepsOthers: boolean,
): readonly string[] {
  const shown = shownOf(all, only)
  if (!keepsOthers) return shown.length === 1 && shown[0] === name ? [] : [name]
  const isShown = shown.includes(name)
  const next = all.filter(one => (one === name ? !isShown : shown.includes(one)))
  return next.length === all.length ? [] : next
}
