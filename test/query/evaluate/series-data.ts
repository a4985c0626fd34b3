/** Series written by hand, and random ones of which many match. */

import fc from 'fast-check'
import type { Aggregate } from '../../../src/language/ast.ts'
import { printQuery } from '../../../src/language/print.ts'
import type { Labels, Series } from '../../../src/query/evaluate/vector.ts'

export type Points = readonly (number | undefined)[]

export function labelsOf(pairs: Readonly<Record<string, string>>): Labels {
  return Object.assign(Object.create(null), pairs)
}

/** `{ 'a=1,b=2': points }` as series; the empty text has no labels. */
export function seriesOf(points: Readonly<Record<string, Points>>): Series[] {
  return Object.entries(points).map(([text, points]) => ({
    labels: labelsOf(
      Object.fromEntries(text === '' ? [] : text.split(',').map(pair => pair.split('='))),
    ),
    points,
  }))
}

export const pointCount = 3

const point = fc.constantFrom(
  ...[undefined, 0, -0, 1, 2, 2, 3, -1, 0.5],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
)

const label = fc.constantFrom('a', 'b', '__proto__')

/** Labels with the same meaning are written differently: in any order, and empty or left out. */
const labels: fc.Arbitrary<Labels> = fc
  .uniqueArray(fc.tuple(label, fc.constantFrom('', 'x', 'y')), {
    selector: ([name]) => name,
    maxLength: 3,
  })
  .map(pairs => {
    const made = Object.create(null)
    for (const [name, value] of pairs) made[name] = value
    return made
  })

const meaningOf = (labels: Labels) =>
  ['a', 'b', '__proto__'].map(name => labels[name] ?? '').join('|')

const someSeries: fc.Arbitrary<readonly Series[]> = fc.uniqueArray(
  fc.record(
    { labels, points: fc.array(point, { minLength: pointCount, maxLength: pointCount }) },
    { noNullPrototype: true },
  ),
  { selector: ({ labels }) => meaningOf(labels), maxLength: 8 },
)

const aggregates = ['w', 'x', 'y', 'z'].map(
  (value): Aggregate => ({
    kind: 'aggregate',
    operation: 'count',
    by: ['a', 'b', '__proto__'],
    selector: {
      kind: 'selector',
      matchers: [{ label: 'which', operator: '=', value }],
      filters: [],
    },
    unwrap: undefined,
    quantile: undefined,
    offsetMs: 0,
  }),
)

/** One of four aggregates, as a new object every time. */
export const someAggregate = fc
  .constantFrom(...aggregates)
  .map(aggregate => structuredClone(aggregate))

/** The series of each of the aggregates, by their text. */
export const someData: fc.Arbitrary<ReadonlyMap<string, readonly Series[]>> = fc
  .array(someSeries, { minLength: aggregates.length, maxLength: aggregates.length })
  .map(all => new Map(aggregates.map((aggregate, i) => [printQuery(aggregate), all[i]!])))
