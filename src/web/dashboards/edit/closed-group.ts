/**
 * A closed group takes a widget that is dropped on its heading, wherever there is room in it. The widget is
 * out of sight then: a toast says where it went.
 */

import { useEffect } from 'preact/hooks'
import { toast } from '../../ui/toasts.tsx'
import type { BoardModel } from '../board-model.ts'
import { readWidgets, type Widget, widgetsIn } from '../model/board.ts'
import { type Json, type Path, pathKey } from '../model/json-tree.ts'
import { widgetLists } from '../model/regroup.ts'
import { nameOfWidget } from '../widget-names.ts'

/** Takes what is dropped on `frame`, while `isClosed`. Returns whether something is held over it. */
export function useClosedGroup(
  model: BoardModel,
  { path }: Pick<Widget, 'path'>,
  isClosed: boolean,
  frame: { readonly current: HTMLElement | null },
): boolean {
  const list = widgetsIn(path)
  const key = pathKey(list)
  useEffect(() => {
    if (!isClosed) return undefined
    return model.dropAreas.add(list, () => {
      const box = frame.current?.getBoundingClientRect()
      return box && { list, box, widgets: undefined }
    })
  }, [model, key, isClosed])
  const drop = model.drop.value
  return isClosed && drop !== undefined && pathKey(drop.list) === key
}

/** `tree`: as it was before the widget at `path` went to the list. */
export function tellOfDrop(tree: Json, path: Path, list: Path): void {
  const widget = readWidgets(tree, path.slice(0, -1))[path.at(-1) as number]
  const key = pathKey(list)
  const group = widgetLists(tree).find(one => pathKey(one.path) === key)?.group
  if (widget === undefined) return
  toast(`Moved “${nameOfWidget(widget)}” into “${group || 'Group'}”. Undo brings it back.`)
}
