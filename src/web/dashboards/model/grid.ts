/**
 * Places on the grid of a dashboard: 12 columns, and rows without end. Widgets have the places that were
 * saved; where two overlap, or one is moved onto others, those in the way go down, never up or
 * sideways. Everything here is in whole columns and rows.
 */

export const columnCount = 12
/** More rows than anyone scrolls; keeps mistaken values from making a page without end. */
const heightMax = 200
const rowMax = 100_000

export interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}

/** The nearest place that lies on the grid. */
export function onGrid({ x, y, w, h }: Place): Place {
  const width = between(Math.round(w), 1, columnCount)
  return {
    x: between(Math.round(x), 0, columnCount - width),
    y: between(Math.round(y), 0, rowMax),
    w: width,
    h: between(Math.round(h), 1, heightMax),
  }
}

function between(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value))
}

export function overlap(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
}

/** Indexes from the top down, and from left to right. */
export function readingOrder(places: readonly Place[]): readonly number[] {
  const indexes = places.map((_, index) => index)
  return indexes.sort((a, b) => places[a]!.y - places[b]!.y || places[a]!.x - places[b]!.x || a - b)
}

/**
 * The same places without overlaps: in reading order each goes down to where there is room.
 * @param held Index of the one that stays where it is, as the others make room for it.
 */
export function settled(places: readonly Place[], held?: number): readonly Place[] {
  const result = places.map(onGrid)
  const order = readingOrder(result).filter(index => index !== held)
  const done: Place[] = held === undefined ? [] : [result[held]!]
  for (const index of order) {
    result[index] = downFrom(result[index]!, done)
    done.push(result[index]!)
  }
  return result
}

/** The first place below `place`, or itself, that overlaps none of `others`. */
function downFrom(place: Place, others: readonly Place[]): Place {
  let current = place
  for (;;) {
    const inTheWay = others.filter(other => overlap(current, other))
    if (inTheWay.length === 0) return current
    current = { ...current, y: Math.max(...inTheWay.map(({ y, h }) => y + h)) }
  }
}

/**
 * The places when the one at `index` comes to stand at `rank` in reading order, and none overlap. Where sizes
 * allow it, each takes the corner of the one that stood there before; or else the one takes the place of
 * another, which goes down, if the others stay in their order; or else it gets rows of its own.
 */
export function atRank(places: readonly Place[], index: number, rank: number): readonly Place[] {
  const before = settled(places)
  const order = readingOrder(before).filter(at => at !== index)
  order.splice(rank, 0, index)
  if (isOrder(order, before)) return before
  const exchanged = atCorners(order, before)
  if (isSettled(exchanged)) return exchanged
  const own = before[index]!
  const next = before[order[rank + 1] ?? -1]
  if (next !== undefined) {
    const held = onGrid({ ...own, x: next.x, y: next.y })
    const after = settled(before.with(index, held), index)
    if (isOrder(order, after)) return after
  }
  return withOwnRows(before, order, index)
}

/** Each at the corner of the one that has had its rank, whether there is room or not. */
function atCorners(order: readonly number[], places: readonly Place[]): readonly Place[] {
  const corners = readingOrder(places).map(at => places[at]!)
  return places.map((place, at) => {
    const { x, y } = corners[order.indexOf(at)]!
    return { ...place, x, y }
  })
}

function isSettled(places: readonly Place[]): boolean {
  return settled(places).every(({ x, y }, at) => x === places[at]!.x && y === places[at]!.y)
}

function withOwnRows(
  before: readonly Place[],
  order: readonly number[],
  index: number,
): readonly Place[] {
  const rank = order.indexOf(index)
  const own = before[index]!
  const behind = order.slice(rank + 1)
  const y = bottomOf(order.slice(0, rank).map(at => before[at]!))
  const top = Math.min(...behind.map(at => before[at]!.y))
  const shift = Math.max(0, y + own.h - top)
  const moved = before.map((one, at) => (behind.includes(at) ? { ...one, y: one.y + shift } : one))
  return moved.with(index, { ...own, x: 0, y })
}

function isOrder(order: readonly number[], places: readonly Place[]): boolean {
  return readingOrder(places).every((index, at) => index === order[at])
}

/** The first gap of this size, in reading order; below everything when there is none. */
export function freePlace(places: readonly Place[], size: Pick<Place, 'w' | 'h'>): Place {
  const { w, h } = onGrid({ x: 0, y: 0, ...size })
  const bottom = bottomOf(places)
  for (let y = 0; y < bottom; y++) {
    for (let x = 0; x <= columnCount - w; x++) {
      const place = { x, y, w, h }
      if (!places.some(other => overlap(place, other))) return place
    }
  }
  return { x: 0, y: bottom, w, h }
}

/** The row below the lowest place. */
export function bottomOf(places: readonly Place[]): number {
  return places.reduce((bottom, { y, h }) => Math.max(bottom, y + h), 0)
}

/**
 * Places as they are shown when some are higher or lower than they were saved, as groups are that show
 * what is in them, or are closed: whatever lay below them moves along.
 * @param heights Rows that each takes; one for each place.
 */
export function arranged(places: readonly Place[], heights: readonly number[]): readonly Place[] {
  const gridded = settled(places)
  const shifts = gridded.map(({ y }) =>
    gridded.reduce((sum, other, at) => {
      const isAbove = other.y + other.h <= y
      return isAbove ? sum + heights[at]! - other.h : sum
    }, 0),
  )
  return settled(
    gridded.map((place, at) => ({
      ...place,
      y: Math.max(0, place.y + shifts[at]!),
      h: heights[at]!,
    })),
  )
}

/**
 * The saved row that is drawn at `row`, when widgets above it are drawn higher or lower than they were saved;
 * about that row where such widgets stand beside each other.
 * @param shown What `arranged` made of `saved`.
 */
export function savedRow(row: number, shown: readonly Place[], saved: readonly Place[]): number {
  const added = shown.reduce((sum, { y, h }, at) => {
    return y + h <= row ? sum + h - saved[at]!.h : sum
  }, 0)
  return Math.max(0, row - added)
}
