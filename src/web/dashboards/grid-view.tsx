/**
 * The widgets of a dashboard, or of a group in it, on the grid. In narrow windows they stand one below the
 * other in reading order. While editing, their order in the page stays that of the list, so that the focus
 * stays on a widget that moves.
 */

import { useEffect, useRef } from 'preact/hooks'
import type { BoardModel } from './board-model.ts'
import { type Placing, usePlacing } from './edit/placing.ts'
import { readWidgets, type Widget, widgetsIn } from './model/board.ts'
import { placesAt } from './model/changes.ts'
import { arranged, bottomOf, type Place, readingOrder } from './model/grid.ts'
import { type Json, type Path, pathKey } from './model/json-tree.ts'
import { isSmallStat, paired } from './model/pairs.ts'
import { useShown } from './shown.ts'
import { WidgetFrame } from './widget-frame.tsx'

export function GridView({ path }: { readonly path: Path }) {
  const { model, isEditing } = useShown()
  const grid = useRef<HTMLDivElement>(null)
  const tree = model.tree.value
  const widgets = readWidgets(tree, path)
  const placing = usePlacing(model, path, grid)
  const places = shownPlaces(model, tree, path, placing.places)
  const reading = readingOrder(places)
  const order = isEditing ? places.map((_, at) => at) : reading
  // While one edits, the tools of a widget need its whole width.
  const halves = paired(isEditing ? [] : reading, at => isSmallStat(widgets[at]!, places[at]!))
  const drop = model.drop.value
  const own = useRef({ shown: places, saved: places })
  own.current = { shown: places, saved: placesAt(tree, path) }
  const key = pathKey(path)
  useEffect(
    () =>
      model.dropAreas.add(path, () => {
        const box = grid.current?.getBoundingClientRect()
        return box && { list: path, box, widgets: own.current }
      }),
    [model, key],
  )
  return (
    <div class={`grid${placing.held === undefined ? '' : ' grid-held'}`} ref={grid}>
      {widgets.length === 0 && path.length > 2 && (
        <p class="grid-note panel-note soft">This group is empty.</p>
      )}
      {drop?.at !== undefined && pathKey(drop.list) === key && (
        <div class="grid-drop" style={onScreen(drop.at.shown)} />
      )}
      {order.map(at => {
        const widget = widgets[at]!
        const place = places[at]!
        return (
          <div
            key={widget.path.join('/')}
            class={classOf(widget, at, placing, halves)}
            style={{ ...onScreen(place), '--rank': String(reading.indexOf(at)) }}
          >
            <WidgetFrame widget={widget} index={at} place={place} placing={placing} />
          </div>
        )
      })}
    </div>
  )
}

function classOf(
  { type }: Widget,
  at: number,
  { held, leaving }: Placing,
  halves: ReadonlySet<number>,
): string {
  const further = [
    type === 'group' && 'grid-item-group',
    halves.has(at) && 'grid-item-half',
    held === at && 'grid-item-held',
    leaving === at && 'grid-item-leaving',
  ]
  return ['grid-item', ...further.filter(Boolean)].join(' ')
}

/** A place for the style, which counts from 1. */
function onScreen({ x, y, w, h }: Place) {
  return { '--x': String(x + 1), '--y': String(y + 1), '--w': String(w), '--h': String(h) }
}

/** Where the widgets are drawn: groups take the rows that their content needs. */
function shownPlaces(
  model: BoardModel,
  tree: Json,
  path: Path,
  places: readonly Place[] = placesAt(tree, path),
): readonly Place[] {
  const widgets = readWidgets(tree, path)
  const heights = places.map((place, at) => heightOf(model, tree, widgets[at]!, place))
  return arranged(places, heights)
}

function heightOf(model: BoardModel, tree: Json, widget: Widget, place: Place): number {
  if (widget.type !== 'group') return place.h
  if (model.isClosed(widget.path, widget.isClosed)) return 1
  // One more for its title and frame.
  const needed = bottomOf(shownPlaces(model, tree, widgetsIn(widget.path))) + 1
  return Math.max(2, needed)
}
