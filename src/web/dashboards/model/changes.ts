/** Changes to a dashboard's tree, and what new things in it begin with. */

import { defaultFolder, readBoard, readWidgets, type WidgetType } from './board.ts'
import { freePlace, onGrid, type Place, settled } from './grid.ts'
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  type Path,
  readTree,
  textAt,
  valueAt,
  withValue,
} from './json-tree.ts'

export function blankDashboard(id: string): Json {
  const title = 'New dashboard'
  return {
    settings: { defaultTimeRange: '1h', hideGlobalEnvironmentSelector: false },
    metadata: { id, title, folderPath: defaultFolder },
    content: { title, variables: [], widgets: [] },
  }
}

/** The same without an id, so that saving makes another one. */
export function duplicateOf(tree: Json): Json {
  const title = `${readBoard(tree).title || 'Dashboard'} (copy)`
  return withTitle(withValue(tree, ['metadata', 'id'], undefined), title)
}

/** Both titles: clients show the one or the other. */
export function withTitle(tree: Json, title: string): Json {
  return withValue(withValue(tree, ['metadata', 'title'], title), ['content', 'title'], title)
}

/**
 * The dashboard in a file: alone, or as the body of the request that saves it. Throws an Error that says
 * why not.
 */
export function importable(text: string): Json {
  const read = readTree(text)
  const inner = valueAt(read, ['dashboard'])
  const tree = isObject(inner) ? inner : read
  const fault = faultOf(tree)
  if (fault !== undefined) throw new Error(fault)
  return tree
}

const shapes: readonly (readonly [Path, (value: Json) => boolean, string])[] = [
  [['settings'], isObject, 'an object'],
  [['metadata'], isObject, 'an object'],
  [['content'], isObject, 'an object'],
  [['metadata', 'id'], isText, 'a text'],
  [['metadata', 'title'], isText, 'a text'],
  [['metadata', 'folderPath'], isText, 'a text'],
  [['content', 'title'], isText, 'a text'],
  [['content', 'variables'], isList, 'a list'],
  [['content', 'widgets'], isList, 'a list'],
]

/** What keeps a tree from being a dashboard, in the service's words; the service looks closer. */
export function faultOf(tree: Json): string | undefined {
  if (!isObject(tree)) return 'a dashboard is a JSON object'
  for (const [path, fits, expected] of shapes) {
    const value = valueAt(tree, path)
    if (value !== undefined && !fits(value)) return `"${path.join('.')}" must be ${expected}`
  }
  return undefined
}

function isText(value: Json): boolean {
  return typeof value === 'string'
}

/** Places of the widgets in the list at `path`; those that have none get one below the others. */
export function placesAt(tree: Json, path: Path): readonly Place[] {
  const known = readWidgets(tree, path).map(({ place }) => place)
  const places = known.filter(place => place !== undefined)
  return known.map(place => {
    if (place !== undefined) return place
    const free = freePlace(places, { w: 6, h: 4 })
    places.push(free)
    return free
  })
}

/** Moves or sizes a widget; those in its way go down. Only places that differ are written. */
export function withPlace(tree: Json, path: Path, index: number, place: Place): Json {
  return withPlaces(tree, path, settled(placesAt(tree, path).with(index, onGrid(place)), index))
}

/** Writes the places of the list at `path` that differ: one for each widget. */
export function withPlaces(tree: Json, path: Path, places: readonly Place[]): Json {
  return places.reduce<Json>((result, next, at) => {
    const old = readWidgets(tree, path)[at]?.place
    const isSame =
      old !== undefined && (['x', 'y', 'w', 'h'] as const).every(k => old[k] === next[k])
    return isSame ? result : writePlace(result, [...path, at], next)
  }, tree)
}

function writePlace(tree: Json, widget: Path, place: Place): Json {
  const position = [...widget, 'position']
  const own = valueAt(tree, [...position, 'absolute'])
  const typed =
    textAt(tree, [...position, 'type']) === undefined
      ? withValue(tree, [...position, 'type'], 'absolute')
      : tree
  return withValue(typed, [...position, 'absolute'], { ...(isObject(own) ? own : {}), ...place })
}

const sizes: Readonly<Record<WidgetType, Pick<Place, 'w' | 'h'>>> = {
  chart: { w: 6, h: 4 },
  stat: { w: 3, h: 2 },
  gauge: { w: 3, h: 2 },
  log: { w: 12, h: 5 },
  markdown: { w: 6, h: 2 },
  group: { w: 12, h: 4 },
}

const selector = 'logs'
const single = (query: string) => ({
  metoroQLQuery: { query, bucketSize: 0 },
  reduceAggregation: 'sum',
})

const payloads: Readonly<Record<WidgetType, JsonObject>> = {
  chart: {
    title: 'Records by level',
    chartType: 'bar',
    expression: {
      metoroQLQueries: [
        {
          query: `count by (log_level) (${selector})`,
          bucketSize: 0,
          displaySettings: { label: 'records' },
        },
      ],
    },
  },
  stat: { title: 'Records', expression: single(`count(${selector})`) },
  gauge: {
    title: 'Share of errors',
    expression: {
      ...single(`100 * count(${selector}{log_level="error"}) / count(${selector})`),
      reduceAggregation: 'avg',
    },
    displaySettings: { globalSettings: { min: 0, max: 100, label: '%' } },
  },
  log: {
    title: 'Latest records',
    expression: { metoroQLQuery: { query: selector, bucketSize: 0 } },
    displaySettings: { hideSearchBar: true, columns: ['log_level', 'service.name', 'message'] },
  },
  markdown: { content: '## Notes\n\nWhat this dashboard is about.' },
  group: { title: 'Group', widgets: [] },
}

/** Adds a new widget at the end of the list at `path`, where there is room for it on the grid. */
export function withNewWidget(tree: Json, path: Path, type: WidgetType): Json {
  return withWidget(tree, path, type, payloads[type])
}

/** As `withNewWidget`, with what is in it. */
export function withWidget(tree: Json, path: Path, type: WidgetType, payload: JsonObject): Json {
  const { x, y, w, h } = freePlace(placesAt(tree, path), sizes[type])
  const position = { type: 'absolute', absolute: { x, y, w, h } }
  const index = listAt(tree, path).length
  return withValue(tree, [...path, index], { type, position, [type]: payload })
}

/** Adds a copy of the widget, below it where there is room. */
export function withWidgetCopy(tree: Json, path: Path, index: number): Json {
  const widget = valueAt(tree, [...path, index])
  const place = placesAt(tree, path)[index]
  if (widget === undefined || place === undefined) return tree
  const at = listAt(tree, path).length
  const free = freePlace(placesAt(tree, path), place)
  return writePlace(withValue(tree, [...path, at], widget), [...path, at], free)
}

export function withNewVariable(tree: Json): Json {
  const names = readBoard(tree).variables.map(({ name }) => name)
  let number = 1
  while (names.includes(`variable${number}`)) number += 1
  const index = listAt(tree, ['content', 'variables']).length
  return withValue(tree, ['content', 'variables', index], {
    name: `variable${number}`,
    defaultValue: '.*',
    overridable: true,
    selectorSettings: { metricName: 'logs', attribute: 'service.name' },
  })
}
