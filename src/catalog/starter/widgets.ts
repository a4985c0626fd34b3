/** Widgets in the form that published clients of this API send (CONTRACT 6): one function for each type. */

/** A place on the grid: column (0…11), row, width in columns, height in rows. */
export type Place = readonly [x: number, y: number, w: number, h: number]

export interface Widget {
  readonly type: string
  readonly position: {
    readonly type: 'absolute'
    readonly absolute: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>
  }
  /** The payload, under the name of the type. */
  readonly [payload: string]: unknown
}

/** How the values of the buckets become one. */
export type Reduction = 'sum' | 'avg' | 'max' | 'last'

interface Titled {
  readonly title: string
  readonly at: Place
}

export function markdown(content: string, at: Place): Widget {
  return widget('markdown', at, { content })
}

/** `queries`: by what the legend calls each; of a query that groups, the labels say it. */
export function chart(
  chartType: 'line' | 'bar',
  { title, at, queries }: Titled & { readonly queries: Readonly<Record<string, string>> },
): Widget {
  const metoroQLQueries = Object.entries(queries).map(([label, query]) => ({
    query,
    bucketSize: automatic,
    displaySettings: { label },
  }))
  return widget('chart', at, { title, chartType, expression: { metoroQLQueries } })
}

interface SingleValue extends Titled {
  readonly query: string
  readonly reduce: Reduction
}

export function stat({ title, at, query, reduce }: SingleValue): Widget {
  return widget('stat', at, { title, expression: reduced(query, reduce) })
}

export function gauge({
  title,
  at,
  query,
  reduce,
  ...globalSettings
}: SingleValue & { readonly min: number; readonly max: number; readonly label: string }): Widget {
  const displaySettings = { globalSettings }
  return widget('gauge', at, { title, expression: reduced(query, reduce), displaySettings })
}

export function log({
  title,
  at,
  query,
  columns,
}: Titled & { readonly query: string; readonly columns: readonly string[] }): Widget {
  const expression = { metoroQLQuery: { query, bucketSize: automatic } }
  const displaySettings = { hideSearchBar: true, columns }
  return widget('log', at, { title, expression, displaySettings })
}

/** The page chooses a width of buckets that suits the time range. */
const automatic = 0

const reduced = (query: string, reduceAggregation: Reduction) => ({
  metoroQLQuery: { query, bucketSize: automatic },
  reduceAggregation,
})

function widget(type: string, [x, y, w, h]: Place, payload: object): Widget {
  return { type, position: { type: 'absolute', absolute: { x, y, w, h } }, [type]: payload }
}
