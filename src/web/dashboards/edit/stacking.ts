/**
 * Dragging in narrow windows, where the widgets stand one below the other: what is dragged comes to stand
 * among the others by where its middle is.
 */

/**
 * The middles of the grid's widgets in the window, from the top down, but for the one that is dragged. Read
 * them when the drag begins: while it lasts the widgets make room, and would flicker.
 * @param dragged Its place in the list.
 */
export function middlesOf(grid: HTMLElement, dragged: number): readonly number[] {
  return [...grid.querySelectorAll(':scope > .grid-item')]
    .filter((_, index) => index !== dragged)
    .map(item => item.getBoundingClientRect())
    .map(({ top, height }) => top + height / 2)
    .sort((a, b) => a - b)
}

/** How many of the others stand above one with its middle at `own`. */
export function rankAt(middles: readonly number[], own: number): number {
  return middles.filter(middle => middle < own).length
}
