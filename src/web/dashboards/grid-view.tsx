/**
 * The widgets of a dashboard, or of a group in it, on the grid. In narrow windows they stand one below the
 * other in reading order. While editing, their order in the page stays that of the list, so that the focus
 * stays on a widget that moves.
 */

import { useRef } from 'preact/hooks'
import type { BoardModel } from './board-model.ts'
import { usePlacing } from './edit/placing.ts'
import { readWidgets, type Widget, widgetsIn } from './model/board.ts'
import { placesAt } from './model/changes.ts'
import { arranged, bottomOf, type Place, readingOrder } from './model/grid.ts'
import type { Json, Path } from './model/json-tree.ts'
import { useShown } from './shown.ts'
import { WidgetFrame } from './widget-frame.tsx'

export function GridView({ path }: { readonly path: Path }) {
  const { model, isEditing } = useShown()
  const grid = useRef<HTMLDivElement>(null)
  const tree = model.tree.value
  const widgets = readWidgets(tree, path)
  const placing = usePlacing(model, path, grid)
  const places = shownPlaces(model, tree, path, placing.places)
  const order = isEditing ? places.map((_, at) => at) : readingOrder(places)
  if (widgets.length === 0 && path.length > 2) {
    return <p class="panel-note soft">This group is empty.</p>
  }
  return (
    <div class={`grid${placing.isHeld ? ' grid-held' : ''}`} ref={grid}>
      {order.map(at => {
        const widget = widgets[at]!
        const place = places[at]!
        return (
          <div
            key={widget.path.join('/')}
            class={`grid-item${widget.type === 'group' ? ' grid-item-group' : ''}`}
            style={{
              '--x': String(place.x + 1),
              '--y': String(place.y + 1),
              '--w': String(place.w),
              '--h': String(place.h),
            }}
          >
            <WidgetFrame widget={widget} index={at} place={place} placing={placing} />
          </div>
        )
      })}
    </div>
  )
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
