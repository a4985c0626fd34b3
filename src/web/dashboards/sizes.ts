/** Sizes of the grid in pixels; dashboards.css has the same. */

export const rowHeight = 60
export const gap = 8
/** A widget's title line. */
export const headerHeight = 32
/** Around a widget's content: border and padding, both sides together. */
export const frameHeight = 10
/** Below it widgets stand one below the other, and do not move. */
export const stackWidthMax = 760

/** Height of so many rows with the gaps between them. */
export function rowsHeight(rows: number): number {
  return rows * (rowHeight + gap) - gap
}
