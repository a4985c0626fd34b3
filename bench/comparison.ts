/** Two sides of runs of one benchmark, such as before and after a change, value by value. */
import type { BenchResults } from './results.ts'
import { formatTable, median, millis } from './table.ts'

/** By measure and work. */
type Values = ReadonlyMap<string, ReadonlyMap<string, readonly number[]>>

/** A change can be told from the spread when each side has so many; by chance it seems so once in ten. */
const valuesMin = 3

/**
 * A table for each measure, with the work that both sides have. Throws when the runs are of different
 * benchmarks, or were not made under the same conditions.
 */
export function compareResults(
  before: readonly BenchResults[],
  after: readonly BenchResults[],
): string {
  const what = new Set([...before, ...after].map(describeWhat))
  if (what.size !== 1) throw new Error(`cannot compare ${[...what].join(' with ')}`)
  const [earlier, later] = [valuesOf(before), valuesOf(after)]
  const tables = [...earlier].flatMap(([measure, works]) => {
    const rows = [...works].flatMap(([work, values]) => {
      const others = later.get(measure)?.get(work)
      return others === undefined ? [] : [compareValues(work, values, others)]
    })
    return rows.length === 0 ? [] : [formatTable(`Work, ${measure}: | ${spreads}`, rows)]
  })
  const oneSided = [...missing(earlier, later), ...missing(later, earlier)]
  return [
    ...what,
    ...tables,
    'Beyond the spread: all values of one side lie above all of the other; ' +
      `?: a side has fewer than ${valuesMin} values, too few to tell`,
    ...(oneSided.length === 0 ? [] : [`not on both sides: ${oneSided.join('; ')}`]),
  ].join('\n\n')
}

function describeWhat({ bench, conditions }: BenchResults): string {
  const all = Object.entries(conditions).map(([name, value]) => `${name} ${value}`)
  return `${bench} (${all.join(', ')})`
}

function valuesOf(side: readonly BenchResults[]): Values {
  const values = new Map<string, Map<string, number[]>>()
  for (const { work, measures } of side.flatMap(({ rows }) => rows)) {
    for (const [measure, ofRun] of Object.entries(measures)) {
      if (ofRun.length === 0) continue
      const works = values.get(measure) ?? new Map<string, number[]>()
      values.set(measure, works.set(work, [...(works.get(work) ?? []), ...ofRun]))
    }
  }
  return values
}

const spreads = 'before | least–most | after | least–most | after ÷ before | Beyond the spread:'

function compareValues(
  work: string,
  before: readonly number[],
  after: readonly number[],
): string[] {
  const ratio = median(after) / median(before)
  return [
    work,
    ...spread(before),
    ...spread(after),
    Number.isFinite(ratio) ? ratio.toFixed(2) : '',
    changeBeyondSpread(before, after),
  ]
}

function spread(values: readonly number[]): [middle: string, range: string] {
  return [millis(median(values)), `${millis(Math.min(...values))}–${millis(Math.max(...values))}`]
}

function changeBeyondSpread(before: readonly number[], after: readonly number[]): string {
  if (Math.min(before.length, after.length) < valuesMin) return '?'
  if (Math.min(...after) > Math.max(...before)) return 'more'
  if (Math.max(...after) < Math.min(...before)) return 'less'
  return ''
}

/** What `here` has and `there` has not. */
function missing(here: Values, there: Values): string[] {
  return [...here].flatMap(([measure, works]) =>
    [...works.keys()]
      .filter(work => there.get(measure)?.has(work) !== true)
      .map(work => `${work}, ${measure}`),
  )
}
