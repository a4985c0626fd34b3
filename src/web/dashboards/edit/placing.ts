/**
 * Moving and sizing the widgets of one grid, by pointer and by keys, in whole columns and rows. While one is
 * dragged the others make room at once; over another group, or the heading of one that is closed, it would
 * go there, and its own grid stays as it is. The tree changes when it is let go. Escape gives up.
 */

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { BoardModel } from '../board-model.ts'
import { placesAt, withPlace } from '../model/changes.ts'
import { columnCount, onGrid, type Place, settled } from '../model/grid.ts'
import { type Path, pathKey } from '../model/json-tree.ts'
import { gap, rowHeight, stackWidthMax } from '../sizes.ts'
import { tellOfDrop } from './closed-group.ts'
import { type DropArea, dropAt } from './dropping.ts'

export interface Placing {
  /** As they are while something is dragged; undefined when nothing is. */
  readonly places: readonly Place[] | undefined
  readonly isHeld: boolean
  /** Index of the widget that would go to another list; undefined mostly. */
  readonly leaving: number | undefined
  begin(event: PointerEvent, index: number, what: 'move' | 'size'): void
  /** Arrow keys move, with Shift they size. Gives the new place, or undefined for other keys. */
  byKey(event: KeyboardEvent, index: number): Place | undefined
}

interface Held {
  readonly index: number
  /** The other lists, as they lay when it was taken; none while it is sized. */
  readonly areas: readonly DropArea[]
  /** The pointer from the widget's corner. */
  readonly dx: number
  readonly dy: number
  /** How far the page was scrolled. */
  readonly top: number
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

  // At once: a button that is let go before anybody listens would hold the widget for ever.
  useLayoutEffect(() => {
    if (!isHeld) return undefined
    const letGo = () => {
      model.drop.value = undefined
      setHeld(undefined)
    }
    const onMove = (event: PointerEvent) => {
      const current = latest.current
      if (current === undefined || grid.current === null) return
      const scrolled = grid.current.getBoundingClientRect().top - current.top
      const pointer = { ...current, x: event.clientX, y: event.clientY - scrolled }
      const drop = dropAt(current.areas, path, pointer, current.from)
      model.drop.value = drop
      if (drop !== undefined) {
        setHeld({ ...current, place: current.from })
        return
      }
      const columnWidth = (grid.current.clientWidth + gap) / columnCount
      const dx = Math.round((event.clientX - current.startX) / columnWidth)
      const dy = Math.round((event.clientY - current.startY) / (rowHeight + gap))
      setHeld({ ...current, place: shifted(current.from, current.what, dx, dy) })
    }
    const onUp = () => {
      const current = latest.current
      const drop = model.drop.peek()
      letGo()
      if (current === undefined) return
      if (drop !== undefined) {
        const widget = [...path, current.index]
        if (drop.at === undefined) tellOfDrop(model.tree.peek(), widget, drop.list)
        model.moveTo(widget, drop.list, drop.at?.place)
        return
      }
      if (current.place === current.from) return
      model.change(withPlace(model.tree.peek(), path, current.index, current.place))
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      letGo()
    }
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', onUp)
    addEventListener('pointercancel', letGo)
    addEventListener('keydown', onKey, true)
    return () => {
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', letGo)
      removeEventListener('keydown', onKey, true)
    }
  }, [isHeld])

  const isLeaving = isHeld && model.drop.value !== undefined
  return {
    isHeld,
    leaving: isLeaving ? held.index : undefined,
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
      const { clientX: startX, clientY: startY } = event
      const areas = what === 'move' ? model.dropAreas.around([...path, index]) : []
      const corner = (event.target as Element).closest('.grid-item')!.getBoundingClientRect()
      const { top } = grid.current!.getBoundingClientRect()
      const pointer = { dx: startX - corner.left, dy: startY - corner.top, top }
      setHeld({ index, what, from, startX, startY, place: from, areas, ...pointer })
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
