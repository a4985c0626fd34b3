/**
 * Results of ranges from those of the pieces that they are made of. Ranges may overlap by far: a point
 * every 15 s about a day each. Therefore pieces are put together to runs of 2, 4, 8 and so on, and each
 * range from at most one run of each length: as many additions a point as the number of pieces in it
 * has digits.
 */

import type { Accumulator } from './accumulators.ts'
import { noCell } from './cells.ts'
import type { Pieces } from './pieces.ts'

/** Cells of results: of group g at place p, counted from 0, the cell `1 + g * placeCount + p`. */
export interface Grid {
  readonly groupCount: number
  readonly placeCount: number
}

/** The number of a cell of the grid, from 1 on: 0 is no cell. */
export function cellAt({ placeCount }: Grid, group: number, place: number): number {
  return 1 + group * placeCount + place
}

/**
 * The accumulator of all points, in a grid of groups and points, from those of pieces.
 * @param pieces Results of each group in each piece, in a grid of these.
 * @param newAccumulator Makes an empty one of the same kind.
 */
export function overWindows<Plain>(
  pieces: Accumulator<unknown, Plain>,
  newAccumulator: () => Accumulator<unknown, Plain>,
  { groupCount, pointCount }: { readonly groupCount: number; readonly pointCount: number },
  { pieceCount, perPoint, width }: Pieces,
): Accumulator<unknown, Plain> {
  const grid: Grid = { groupCount, placeCount: pieceCount }
  const points: Grid = { groupCount, placeCount: pointCount }
  const made = newAccumulator()
  let runs = pieces
  let taken = 0
  for (let length = 1; length <= width; length *= 2) {
    const count = cellCount(grid)
    if ((width & length) !== 0) {
      const pointOf = (piece: number) => (piece - taken) / perPoint
      const map = cellsTo(grid, points, pointOf)
      made.addPlain(map, runs.toPlain(count), cellCount(points))
      taken += length
    }
    if (2 * length > width) break
    const plain = runs.toPlain(count)
    runs = newAccumulator()
    runs.addPlain(
      cellsTo(grid, grid, piece => piece),
      plain,
      count,
    )
    const shift = length
    runs.addPlain(
      cellsTo(grid, grid, piece => piece - shift),
      plain,
      count,
    )
  }
  return made
}

/** How many numbers of cells a grid has, with 0, which is no cell. */
export function cellCount({ groupCount, placeCount }: Grid): number {
  return 1 + groupCount * placeCount
}

/** For each cell the one of the place that `placeOf` returns; `noCell` where there is no such place. */
function cellsTo(from: Grid, to: Grid, placeOf: (place: number) => number): Uint32Array {
  const cells = new Uint32Array(cellCount(from)).fill(noCell)
  for (let place = 0; place < from.placeCount; place++) {
    const target = placeOf(place)
    if (!Number.isInteger(target) || target < 0 || target >= to.placeCount) continue
    for (let group = 0; group < from.groupCount; group++) {
      cells[cellAt(from, group, place)] = cellAt(to, group, target)
    }
  }
  return cells
}
