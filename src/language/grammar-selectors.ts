/**
 * Selectors: `logs{label="value"} |= "text"`, or as in LogQL `{label="value"} |= "text"`, several of them
 * with `or` between them, and the stages behind; and where all of it stands.
 */

import P from 'parsimmon'
import type { Conditions, LineFilter, Matcher, Search, Selector } from './ast.ts'
import { QueryFault } from './fault.ts'
import { lineFilter, matchers, search } from './grammar-matchers.ts'
import { stage } from './grammar-stages.ts'
import { keyword, type Placed, placed, symbol } from './grammar-tokens.ts'
import { ownName } from './logql-names.ts'
import type { Place, SelectorPlaces } from './places.ts'
import type { Meaning } from './reading.ts'
import type { Stage } from './stage.ts'
import { checkGrowth } from './template-growth.ts'

/** The selector that a text means, and where its parts stand. */
export type SelectorText = Meaning<{
  readonly selector: Selector
  readonly places: SelectorPlaces
}>

/** What stands before the line filters. */
interface BeginningText {
  readonly matchers: Meaning<readonly Placed<Matcher>[]>
  readonly braces: Place | undefined
  readonly names?: 'logql'
}

const read =
  (matchers: readonly Placed<Meaning<Matcher>>[]): Meaning<readonly Placed<Matcher>[]> =>
  reading =>
    matchers.map(({ value, place }) => ({ value: value(reading), place }))

const ofOwnNames: P.Parser<BeginningText> = keyword('logs')
  .then(placed(matchers.wrap(symbol('{'), symbol('}'))).fallback(undefined))
  .map(braces => ({ matchers: read(braces?.value ?? []), braces: braces?.place }))

/** Prometheus' clients write the name of the metric so, which is `logs` for all records. */
const isMetricName = (matcher: Matcher) =>
  matcher.label === '__name__' && matcher.operator === '=' && matcher.value === 'logs'

/** Described as the other beginning of a selector: one of them is enough to be told. */
const ofLogqlNames: P.Parser<BeginningText> = placed(
  matchers.wrap(symbol('{').desc('"logs"'), symbol('}')),
).map(braces => ({
  matchers: reading =>
    read(braces.value)(reading)
      .filter(({ value }) => !isMetricName(value))
      .map(({ value, place }) => ({ value: { ...value, label: ownName(value.label) }, place })),
  braces: braces.place,
  names: 'logql',
}))

/** Behind the braces: searches are many at once, line filters one. */
type Filtering = Meaning<LineFilter> | readonly Meaning<Search>[]

const isSearch = (part: Placed<Filtering>): part is Placed<readonly Meaning<Search>[]> =>
  Array.isArray(part.value)
const isFilter = (part: Placed<Filtering>): part is Placed<Meaning<LineFilter>> => !isSearch(part)

type ConditionsPlaces = Pick<SelectorPlaces, 'braces' | 'matchers' | 'filters' | 'searches'>

interface ConditionsText {
  readonly names: 'logql' | undefined
  readonly meaning: Meaning<{ conditions: Conditions; places: ConditionsPlaces }>
}

const placesOf = (placed: readonly Placed<unknown>[]) => placed.map(({ place }) => place)

const conditions: P.Parser<ConditionsText> = P.seqMap(
  P.alt(ofOwnNames, ofLogqlNames),
  placed(P.alt<Filtering>(lineFilter, search)).many(),
  (beginning, parts) => ({
    names: beginning.names,
    meaning: reading => {
      const matchers = beginning.matchers(reading)
      const filters = parts.filter(isFilter)
      const searches = parts.filter(isSearch)
      const conditions: Conditions = {
        matchers: matchers.map(({ value }) => value),
        filters: filters.map(({ value }) => value(reading)),
        ...(searches.length > 0 && {
          searches: searches.flatMap(({ value }) => value.map(one => one(reading))),
        }),
      }
      const places = {
        braces: beginning.braces,
        matchers: placesOf(matchers),
        filters: placesOf(filters),
        searches: placesOf(searches),
      }
      return { conditions, places }
    },
  }),
)

/** A line filter behind a stage, which may have changed the line. */
export const laterLineFilter: P.Parser<Meaning<Stage>> = lineFilter.map(filter => reading => ({
  kind: 'line',
  filter: filter(reading),
}))

const parts = P.seqMap(
  conditions,
  keyword('or').then(placed(conditions)).many(),
  placed(P.alt(stage, laterLineFilter)).many(),
  (first, others, stages) => ({ first, others, stages }),
)

export const selector: P.Parser<SelectorText> = placed(parts).map(
  ({ value: { first, others, stages }, place }) =>
    reading => {
      const { conditions, places } = first.meaning(reading)
      const alternatives = others.map(({ value, place }) => {
        if (value.names !== first.names) throw mixed(place.from, first.names)
        return value.meaning(reading).conditions
      })
      const selector: Selector = {
        kind: 'selector',
        ...conditions,
        ...(alternatives.length > 0 && { alternatives }),
        ...(first.names !== undefined && { names: first.names }),
        ...(stages.length > 0 && { stages: stages.map(({ value }) => value(reading)) }),
      }
      checkGrowth(selector.stages ?? [], placesOf(stages))
      return { selector, places: { ...place, ...places, stages: placesOf(stages) } }
    },
)

/** Labels have one set of names in a query: `service_name` is a label of its own behind `logs`. */
function mixed(offset: number, names: Selector['names']): QueryFault {
  const [expected, found] = names === 'logql' ? ['"{"', 'logs'] : ['"logs"', '{']
  const what = `expected ${expected}, as the first selector begins, but found "${found}"`
  return new QueryFault('query_syntax', offset, what, {
    members: { expected: [expected!], found: found! },
    remedy: 'begin all of them alike: logs{…} or logs{…}',
  })
}
