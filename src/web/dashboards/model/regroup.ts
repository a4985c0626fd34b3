/** Moving widgets from one list to another: into groups, out of them, from one to the next. */

import { readWidgets, rootWidgets, widgetsIn } from './board.ts'
import { placesAt, withPlace } from './changes.ts'
import { freePlace, type Place } from './grid.ts'
import { type Json, listAt, type Path, valueAt, withValue } from './json-tree.ts'

/** A list of widgets that others can be moved to. */
export interface WidgetList {
  readonly path: Path
  /** Title of the group that it is in; undefined for the dashboard's own. */
  readonly group: string | undefined
}

/** The dashboard's own list, then those of its groups, and of groups in these. */
export function widgetLists(tree: Json, path: Path = rootWidgets): readonly WidgetList[] {
  const own = path === rootWidgets ? [{ path, group: undefined }] : []
  const inner = readWidgets(tree, path).flatMap(({ type, path: group, title }) => {
    const list = widgetsIn(group)
    return type === 'group' ? [{ path: list, group: title }, ...widgetLists(tree, list)] : []
  })
  return [...own, ...inner]
}

/** Whether the widget at `widget` can be moved to the list: it is in another, and not around this one. */
export function canMoveTo(list: Path, widget: Path): boolean {
  return !isSame(list, widget.slice(0, -1)) && !isWithin(list, widget)
}

export interface Regrouped {
  readonly tree: Json
  /** Where the widget is now. */
  readonly path: Path
}

/**
 * Moves the widget at `widget` to the end of `list`. What it is stays as it was, but for its place.
 * @param place On the list's grid, where those in the way go down; the first gap when left out.
 * @returns undefined when `canMoveTo` says no, or there is no such widget.
 */
export function regrouped(
  tree: Json,
  widget: Path,
  list: Path,
  place?: Place,
): Regrouped | undefined {
  const value = valueAt(tree, widget)
  if (value === undefined || !canMoveTo(list, widget)) return undefined
  const own = placesAt(tree, widget.slice(0, -1))[widget.at(-1) as number]!
  const at = listAt(tree, list).length
  const free = place ?? freePlace(placesAt(tree, list), own)
  const added = withPlace(withValue(tree, [...list, at], value), list, at, free)
  const path = [...withoutStep(list, widget), at]
  return { tree: withValue(added, widget, undefined), path }
}

/** `path` as it is when what was at `removed` is gone from its list. */
export function withoutStep(path: Path, removed: Path): Path {
  const depth = removed.length - 1
  const step = path[depth]
  const index = removed[depth]
  const isBehind =
    isWithin(path, removed.slice(0, -1)) &&
    typeof step === 'number' &&
    typeof index === 'number' &&
    step > index
  return isBehind ? path.with(depth, step - 1) : path
}

/** Whether `path` is `outer`, or of something in it. */
export function isWithin(path: Path, outer: Path): boolean {
  return outer.every((step, at) => path[at] === step)
}

function isSame(a: Path, b: Path): boolean {
  return a.length === b.length && isWithin(a, b)
}
