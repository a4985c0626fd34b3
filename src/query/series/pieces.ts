/**
 * Time cut into pieces, so that what each point is about is some of them in a row. Where each point is
 * about its own step, these are the pieces. Where it is about a range of another length, both ends of
 * every range are borders: of each step there are two pieces then, unless the range is of whole steps.
 */

import type { Timestamp } from '../../record.ts'
import type { SeriesBuckets } from './cells.ts'

export interface Pieces {
  /** Where piece 0 begins. */
  readonly origin: Timestamp
  readonly stepMs: number
  /** Ms of the first piece of each step; `stepMs` where a step is one piece. */
  readonly firstMs: number
  readonly pieceCount: number
  /** Pieces from one point to the next. */
  readonly perPoint: 1 | 2
  /** Pieces that each point is about; those of point i begin with piece `i * perPoint`. */
  readonly width: number
}

/** The pieces for points about ranges of `rangeMs` that end where the buckets end. */
export function piecesOf({ origin, stepMs, pointCount }: SeriesBuckets, rangeMs = stepMs): Pieces {
  const restMs = rangeMs % stepMs
  const steps = Math.floor(rangeMs / stepMs)
  const [perPoint, firstMs, width] =
    restMs === 0 ? ([1, stepMs, steps] as const) : ([2, restMs, 2 * steps + 1] as const)
  return {
    origin: origin + stepMs - rangeMs,
    stepMs,
    firstMs,
    pieceCount: (pointCount - 1) * perPoint + width,
    perPoint,
    width,
  }
}

/** The piece of a time; negative before the first. */
export function pieceAt(
  { origin, stepMs, firstMs, perPoint }: Pieces,
  timestamp: Timestamp,
): number {
  const distance = timestamp - origin
  const step = Math.floor(distance / stepMs)
  if (perPoint === 1) return step
  return 2 * step + (distance - step * stepMs < firstMs ? 0 : 1)
}

/** Where a piece begins, and so ends the one before it. */
export function startOf({ origin, stepMs, firstMs, perPoint }: Pieces, piece: number): Timestamp {
  if (perPoint === 1) return origin + piece * stepMs
  return origin + Math.floor(piece / 2) * stepMs + (piece % 2 === 0 ? 0 : firstMs)
}
