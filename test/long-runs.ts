/**
 * How much a long property tries. An ordinary run tries a fifth, with another seed each day, so that in time
 * it goes everywhere; `npm run test:long` (`LOGSTRATA_TEST_LONG=1`) tries all. Each file that has such
 * properties says which seed it had, and `LOGSTRATA_TEST_SEED` gives that one again.
 */
import t from 'tap'

/** Asked for by `npm run test:long`. */
export const isLong = process.env.LOGSTRATA_TEST_LONG === '1'

/** Today's, such as 20261123, or the one asked for. */
export const seed = Number(
  process.env.LOGSTRATA_TEST_SEED || new Date().toISOString().slice(0, 10).replaceAll('-', ''),
)

t.comment(`${isLong ? 'all runs' : 'a fifth of all runs'}, LOGSTRATA_TEST_SEED=${seed}`)

/** What fast-check is to try of a property that has `all` runs. */
export function longRuns(all: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: share(all), seed }
}

/**
 * Of things in a row, all of which all runs look at, each fifth in an ordinary run, from another one on each
 * day: five days of a month in a row see all of them.
 */
export function longRow<T>(all: readonly T[]): readonly T[] {
  return isLong ? all : all.filter((_, i) => i % 5 === seed % 5)
}

/** As much of `all`, such as of what all runs are to come across, as this run has of the runs. */
export function share(all: number): number {
  return isLong ? all : Math.ceil(all / 5)
}
