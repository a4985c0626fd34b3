/**
 * Moving and sizing the widgets of one grid, by pointer, finger and keys, in whole columns and rows. While
 * one is dragged the others make room at once; over another group, or the heading of one that is closed, it
 * would go there, and its own grid stays as it is. In narrow windows it comes to stand between others of
 * its list. The tree changes when it is let go. Escape gives up.
 */

import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { BoardModel } from '../board-model.ts'
import { placesAt, withPlace, withPlaces } from '../model/changes.ts'
import { atRank, columnCount, onGrid, type Place, settled } from '../model/grid.ts'
import { type Path, pathKey } from '../model/json-tree.ts'
import { gap, rowHeight, stackWidthMax } from '../sizes.ts'
import { tellOfDrop } from './closed-group.ts'
import { type Drop, type DropArea, dropAt } from './dropping.ts'
import { scrollAtEdges } from './edge-scrolling.ts'
import { middlesOf, rankAt } from './stacking.ts'

export interface Placing {
  /** As they are while something is dragged; undefined when nothing is. */
  readonly places: readonly Place[] | undefined
  /** Index of the widget that is dragged; undefined mostly. */
  readonly held: number | undefined
  /** Index of the widget that would go to another list; undefined mostly. */
  readonly leaving: number | undefined
  begin(event: PointerEvent, index: number, what: 'move' | 'size'): void
  /** Arrow keys move, with Shift they size. Returns the new place, or undefined for other keys. */
  byKey(event: KeyboardEvent, index: number): Place | undefined
}

interface Held {
  readonly pointerId: number
  readonly index: number
  readonly what: 'move' | 'size'
  /** The other lists, as they lay when it was taken; none while it is sized. */
  readonly areas: readonly DropArea[]
  /** Of the others, where widgets stand one below the other; undefined on the grid. */
  readonly middles: readonly number[] | undefined
  /** The pointer from the widget's corner. */
  readonly dx: number
  readonly dy: number
  /** Of the widget, pixels. */
  readonly height: number
  /** How far the page was scrolled. */
  readonly top: number
  readonly startX: number
  readonly startY: number
  /** The pointer in the window; undefined before it has moved. */
  readonly at: { readonly x: number; readonly y: number } | undefined
  /** Of all widgets of the list: as they were, and as they would be. */
  readonly before: readonly Place[]
  readonly places: readonly Place[]
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
    if (!isHeld || grid.current === null) return undefined
    const letGo = () => {
      model.drop.value = undefined
      setHeld(undefined)
    }
    const moveTo = (at: Held['at']) => {
      const current = latest.current
      if (current === undefined || at === undefined || grid.current === null) return
      const next = heldAt({ ...current, at }, path, grid.current)
      model.drop.value = next.drop
      setHeld(next.held)
    }
    const onMove = ({ pointerId, clientX: x, clientY: y }: PointerEvent) => {
      if (pointerId === latest.current?.pointerId) moveTo({ x, y })
    }
    const onUp = ({ pointerId }: PointerEvent) => {
      const current = latest.current
      if (current === undefined || pointerId !== current.pointerId) return
      const drop = model.drop.peek()
      letGo()
      put(model, path, current, drop)
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
    const stopScrolling = scrollAtEdges(
      grid.current,
      () => latest.current?.at?.y,
      () => moveTo(latest.current?.at),
    )
    return () => {
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', onUp)
      removeEventListener('pointercancel', letGo)
      removeEventListener('keydown', onKey, true)
      stopScrolling()
    }
  }, [isHeld])

  const isLeaving = isHeld && model.drop.value !== undefined
  return {
    held: held?.index,
    leaving: isLeaving ? held.index : undefined,
    places: held?.places,
    begin(event, index, what) {
      if (event.button !== 0 || grid.current === null) return
      event.preventDefault() // Else the title's text is selected.
      setHeld(taken(event, index, what, { model, path, grid: grid.current }))
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

/** What is held from here on, before the pointer has moved. */
function taken(
  { pointerId, clientX: startX, clientY: startY, target }: PointerEvent,
  index: number,
  what: Held['what'],
  list: { readonly model: BoardModel; readonly path: Path; readonly grid: HTMLElement },
): Held {
  const { model, path, grid } = list
  const before = placesAt(model.tree.peek(), path)
  const isStacked = innerWidth <= stackWidthMax
  const isOnGrid = what === 'move' && !isStacked
  const corner = (target as Element).closest('.grid-item')!.getBoundingClientRect()
  return {
    pointerId,
    index,
    what,
    areas: isOnGrid ? model.dropAreas.around([...path, index]) : [],
    middles: isStacked ? middlesOf(grid, index) : undefined,
    dx: startX - corner.left,
    dy: startY - corner.top,
    height: corner.height,
    top: grid.getBoundingClientRect().top,
    startX,
    startY,
    at: undefined,
    before,
    places: before,
  }
}

/** What was let go stays there: in the list that it was dragged to, or at its new place in its own. */
function put(
  model: BoardModel,
  path: Path,
  { index, before, places }: Held,
  drop: Drop | undefined,
): void {
  if (drop !== undefined) {
    const widget = [...path, index]
    if (drop.at === undefined) tellOfDrop(model.tree.peek(), widget, drop.list)
    model.moveTo(widget, drop.list, drop.at?.place)
  } else if (places !== before) {
    model.change(withPlaces(model.tree.peek(), path, places))
  }
}

/** What is held, with the pointer where it is now: over another list, or somewhere in its own. */
function heldAt(
  held: Held,
  path: Path,
  grid: HTMLElement,
): { readonly held: Held; readonly drop: Drop | undefined } {
  const { index, before, what, at, middles, startX, startY } = held
  const from = before[index]!
  const { x, y: shownY } = at!
  const y = shownY - (grid.getBoundingClientRect().top - held.top)
  if (middles !== undefined) {
    const rank = rankAt(middles, y - held.dy + held.height / 2)
    return { held: { ...held, places: atRank(before, index, rank) }, drop: undefined }
  }
  const drop = dropAt(held.areas, path, { ...held, x, y }, from)
  if (drop !== undefined) return { held: { ...held, places: before }, drop }
  const columnWidth = (grid.clientWidth + gap) / columnCount
  const columns = Math.round((x - startX) / columnWidth)
  const rows = Math.round((y - startY) / (rowHeight + gap))
  const place = shifted(from, what, columns, rows)
  return { held: { ...held, places: settled(before.with(index, place), index) }, drop }
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
