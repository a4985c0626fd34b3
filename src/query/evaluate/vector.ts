/**
 * What expressions are made of: series of points, one per step of the time range, and the key by
 * which two series are known to have the same labels.
 */

/** No prototype: any text may be a name. A label that is absent counts as empty. */
export type Labels = Readonly<Record<string, string>>

export interface Series {
  readonly labels: Labels
  /** One per step; undefined where there is none. */
  readonly points: readonly (number | undefined)[]
}

/** The same number at every step. */
export interface Scalar {
  readonly kind: 'scalar'
  readonly value: number
}

/** No two series have the same labels, and each has a point somewhere. */
export interface Vector {
  readonly kind: 'vector'
  readonly series: readonly Series[]
}

export type Value = Scalar | Vector

// Series share the labels of those that they are made from, so most keys are made once.
const keys = new WeakMap<Labels, string>()

/** The same for equal labels in any order, and for no others. */
export function labelsKey(labels: Labels): string {
  const known = keys.get(labels)
  if (known !== undefined) return known
  const names = Object.keys(labels).filter(name => labels[name] !== '')
  const key = JSON.stringify(names.sort().flatMap(name => [name, labels[name]]))
  keys.set(labels, key)
  return key
}

/** A vector of those series that have a point. */
export function vectorOf(series: readonly Series[]): Vector {
  const hasPoint = ({ points }: Series) => points.some(point => point !== undefined)
  return { kind: 'vector', series: series.filter(hasPoint) }
}

/** The vector with each point mapped by `make`, which may remove it. */
export function mapPoints(vector: Vector, make: (point: number) => number | undefined): Vector {
  return vectorOf(
    vector.series.map(({ labels, points }) => ({
      labels,
      points: points.map(point => (point === undefined ? undefined : make(point))),
    })),
  )
}
