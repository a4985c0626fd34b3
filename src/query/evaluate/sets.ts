/** `and`, `or`, `unless`: at each step the points of which the other side has one of the same signature. */

import type { Matching, SetOperator } from '../../language/ast.ts'
import { MadeSeries, signatureOf } from './matching.ts'
import { type Series, type Vector, vectorOf } from './vector.ts'

/** PromQL's `and`, `or` and `unless`, at each time for itself. */
export function combineSets(
  operator: SetOperator,
  matching: Matching | undefined,
  left: Vector,
  right: Vector,
): Vector {
  const keyOf = signatureOf(matching)
  switch (operator) {
    case 'and':
      return vectorOf(left.series.map(keptWhere(presenceOf(right, keyOf), keyOf, true)))
    case 'unless':
      return vectorOf(left.series.map(keptWhere(presenceOf(right, keyOf), keyOf, false)))
    case 'or': {
      const others = right.series.map(keptWhere(presenceOf(left, keyOf), keyOf, false))
      return united([...left.series, ...others], left, right)
    }
  }
}

type KeyOf = (labels: Series['labels']) => string
/** Of each signature, at which steps any of its series has a point. */
type Presence = ReadonlyMap<string, readonly boolean[]>

function presenceOf({ series }: Vector, keyOf: KeyOf): Presence {
  const presence = new Map<string, boolean[]>()
  for (const { labels, points } of series) {
    const key = keyOf(labels)
    const steps = presence.get(key)
    if (steps === undefined)
      presence.set(
        key,
        points.map(point => point !== undefined),
      )
    else {
      points.forEach((point, step) => {
        steps[step] ||= point !== undefined
      })
    }
  }
  return presence
}

/** A series with those of its points where something is present on the other side, or nothing. */
function keptWhere(presence: Presence, keyOf: KeyOf, isWanted: boolean): (one: Series) => Series {
  return ({ labels, points }) => {
    const steps = presence.get(keyOf(labels))
    const kept = points.map((point, step) =>
      (steps?.[step] ?? false) === isWanted ? point : undefined,
    )
    return { labels, points: kept }
  }
}

/** Series of both sides; those of equal labels, which have no step in common, are one. */
function united(all: readonly Series[], left: Vector, right: Vector): Vector {
  const made = new MadeSeries((left.series[0] ?? right.series[0])?.points.length ?? 0)
  for (const { labels, points } of all) {
    points.forEach((point, step) => {
      if (point !== undefined) made.set(labels, step, point)
    })
  }
  return made.toVector()
}
