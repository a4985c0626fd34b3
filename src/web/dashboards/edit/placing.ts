/**
 * Moving and sizing the widgets of one grid, by pointer and by keys, in whole columns and rows. While one is
 * dragged the others make room at once; the tree changes when it is let go. Escape gives up.
 */

import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type BoardModel, pathKey } from '../board-model.ts'
import { placesAt, withPlace } from '../model/changes.ts'
import { columnCount, onGrid, type Place, settled } from '../model/grid.ts'
import type { Path } from '../model/json-tree.ts'
import { gap, rowHeight, stackWidthMax } from '../sizes.ts'

export interface Placing {
  /** As they are while something is dragged; undefined when nothing is. */
  readonly places: readonly Place[] | undefined
  readonly isHeld: boolean
  begin(event: PointerEvent, index: number, what: 'move' | 'size'): void
  /** Arrow keys move, with Shift they size. Gives the new place, or undefined for other keys. */
  byKey(event: KeyboardEvent, index: number): Place | undefined
}

interface Held {
  readonly index: number
  readonly what: 'move' | 'size'
  readonly from: Place
  readonly startX: number
  readonly startY: number
  readonly place: Place
}

export function usePlacing(
  model: BoardModel,
  path: Path,
  grid: RefObject<HTMLElement | null>,
): Placing {
  const [held, setHeld] = useState<Held | undefined>(undefined)
  const latest = useRef(held)
  latest.current = held
  const isHeld = held !== undefined

  useEffect(() => {
    if (!isHeld) return undefined
    const onMove = (event: PointerEvent) => {
      const current = latest.current
      if (current === undefined || grid.current === null) return
      const columnWidth = (grid.current.clientWidth + gap) / columnCount
      const dx = Math.round((event.clientX - current.startX) / columnWidth)
      const dy = Math.round((event.clientY - current.startY) / (rowHeight + gap))
      setHeld({ ...current, place: shifted(current.from, current.what, dx, dy) })
    }
    const onUp = () => {
      const current = latest.current
      setHeld(undefined)
      if (current === undefined || current.place === current.from) return
      model.change(withPlace(model.tree.peek(), path, current.index, current.place))
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      setHeld(undefined)
    }
    const giveUp = () => setHeld(undefined)
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', onUp)
    addEventListener('pointercancel', giveUp)
    addEventListener('keydown', onKey, true)
    return () => {
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', giveUp)
      removeEventListener('keydown', onKey, true)
    }
  }, [isHeld])

  return {
    isHeld,
    places:
      held === undefined
        ? undefined
        : settled(placesAt(model.tree.peek(), path).with(held.index, held.place), held.index),
    begin(event, index, what) {
      const isOnControl =
        event.target instanceof Element && event.target.closest('button, a, input')
      if (event.button !== 0 || isOnControl || innerWidth <= stackWidthMax) return
      event.preventDefault() // Else the title's text is selected.
      const from = placesAt(model.tree.peek(), path)[index]!
      setHeld({ index, what, from, startX: event.clientX, startY: event.clientY, place: from })
    },
    byKey(event, index) {
      const step = steps[event.key]
      if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return undefined
      event.preventDefault()
      const from = placesAt(model.tree.peek(), path)[index]!
      const place = shifted(from, event.shiftKey ? 'size' : 'move', ...step)
      const name = `place ${pathKey(path)}/${index}`
      model.change(withPlace(model.tree.peek(), path, index, place), name)
      return place
    },
  }
}

const steps: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** A widget that is sized keeps its upper left corner; it ends at the edge of the grid. */
function shifted(from: Place, what: 'move' | 'size', dx: number, dy: number): Place {
  if (what === 'move') return onGrid({ ...from, x: from.x + dx, y: from.y + dy })
  return onGrid({ ...from, w: Math.min(columnCount - from.x, from.w + dx), h: from.h + dy })
}
