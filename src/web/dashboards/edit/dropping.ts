/**
 * Where a widget that is dragged would go: over which list of widgets the pointer is, and at which place of
 * its grid; over the heading of a closed group, wherever there is room in it. The lists lie as they did
 * when the drag began, because a group that made room for the widget could never be reached.
 */

import { columnCount, onGrid, type Place, savedRow } from '../model/grid.ts'
import { type Path, pathKey } from '../model/json-tree.ts'
import { canMoveTo } from '../model/regroup.ts'
import { gap, rowHeight } from '../sizes.ts'

export interface Drop {
  readonly list: Path
  /** Where there is room when undefined. */
  readonly at: DropPlace | undefined
}

interface DropPlace {
  /** As it is drawn, in the rows of the screen. */
  readonly shown: Place
  /** As it is saved. */
  readonly place: Place
}

/** A list of widgets on the screen. */
export interface DropArea {
  readonly list: Path
  readonly box: DOMRect
  /** Undefined for a closed group, of which only the heading is seen. */
  readonly widgets: ShownWidgets | undefined
}

/** Places of the widgets of a list, as drawn and as saved. */
interface ShownWidgets {
  readonly shown: readonly Place[]
  readonly saved: readonly Place[]
}

/** Every grid says what it is; a drag reads all of them when it begins. */
export type AreaOf = () => DropArea | undefined

export class DropAreas {
  readonly #areas = new Map<string, AreaOf>()

  /** Until the returned function is called. */
  add(list: Path, area: AreaOf): () => void {
    const key = pathKey(list)
    this.#areas.set(key, area)
    return () => {
      if (this.#areas.get(key) === area) this.#areas.delete(key)
    }
  }

  /** Those that the widget can be moved to, and its own; what lies inside another comes first. */
  around(widget: Path): readonly DropArea[] {
    const own = pathKey(widget.slice(0, -1))
    return [...this.#areas.values()]
      .flatMap(area => area() ?? [])
      .filter(({ list }) => pathKey(list) === own || canMoveTo(list, widget))
      .sort((a, b) => b.list.length - a.list.length)
  }
}

interface Pointer {
  /** In the window, as it was when the areas were read. */
  readonly x: number
  readonly y: number
  /** From the widget's upper left corner. */
  readonly dx: number
  readonly dy: number
}

/** Where the pointer would drop a widget of this size; undefined over its own list `own`. */
export function dropAt(
  areas: readonly DropArea[],
  own: Path,
  { x, y, dx, dy }: Pointer,
  { w, h }: Pick<Place, 'w' | 'h'>,
): Drop | undefined {
  // The dashboard itself, which is the last, has everything that no group has.
  const area = areas.find(({ box }) => isInside(box, x, y)) ?? areas.at(-1)
  if (area === undefined || pathKey(area.list) === pathKey(own)) return undefined
  if (area.widgets === undefined) return { list: area.list, at: undefined }
  const columnWidth = (area.box.width + gap) / columnCount
  const shown = onGrid({
    x: Math.round((x - dx - area.box.left) / columnWidth),
    y: Math.round((y - dy - area.box.top) / (rowHeight + gap)),
    w,
    h,
  })
  const place = { ...shown, y: savedRow(shown.y, area.widgets.shown, area.widgets.saved) }
  return { list: area.list, at: { shown, place } }
}

/** With the space around the grid that belongs to its group. */
function isInside({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean {
  return left - gap <= x && x <= right + gap && top <= y && y <= bottom + gap
}
