/**
 * What is known of a dashboard's JSON, read with patience: members that are absent or of another type
 * become what the page can show. Each thing says by its path where it stands in the tree.
 */

import type { Drawing } from '../../chart/drawings.ts'
import { drawingOf } from './chart-types.ts'
import { onGrid, type Place } from './grid.ts'
import {
  flagAt,
  isObject,
  type Json,
  listAt,
  numberAt,
  type Path,
  textAt,
  valueAt,
} from './json-tree.ts'
import { readThresholds, type Threshold } from './thresholds.ts'

export interface Board {
  /** Empty for one that was never saved. */
  readonly id: string
  readonly title: string
  readonly folderPath: string
  /** A duration such as `15m`; undefined when it has none. */
  readonly defaultTimeRange: string | undefined
  readonly hidesEnvironment: boolean
  readonly variables: readonly Variable[]
}

export interface Variable {
  readonly name: string
  readonly defaultValue: string
  readonly isOverridable: boolean
  /** Whether several values can be chosen at once. */
  readonly isMultiple: boolean
  /** Whose values are offered; empty for none. */
  readonly attribute: string
  /** The records whose values these are. */
  readonly query: string
}

export interface WidgetQuery {
  readonly query: string
  /** Width of the buckets in seconds; 0: automatic. */
  readonly bucketSeconds: number
  readonly label: string
}

export interface Widget {
  readonly path: Path
  /** As it was sent; `widgetTypes` has those that are drawn. */
  readonly type: string
  readonly title: string
  /** Undefined when it has none. */
  readonly place: Place | undefined
  readonly queries: readonly WidgetQuery[]
  readonly thresholds: readonly Threshold[]
  /** Of charts. */
  readonly drawing: Drawing
  /** Of values: how their buckets become one. */
  readonly reduction: string
  /** The unit of a value. */
  readonly label: string
  readonly min: number
  readonly max: number
  /** Of markdown. */
  readonly content: string
  /** Of records; empty for the page's own choice. */
  readonly columns: readonly string[]
  readonly hidesSearchBar: boolean
  /** Of groups. */
  readonly isClosed: boolean
}

export const widgetTypes = ['chart', 'stat', 'gauge', 'log', 'markdown', 'group'] as const
export type WidgetType = (typeof widgetTypes)[number]

export const defaultFolder = '/dashboards/default/'
export const rootWidgets: Path = ['content', 'widgets']

export function readBoard(tree: Json): Board {
  const title = textAt(tree, ['metadata', 'title']) ?? textAt(tree, ['content', 'title'])
  return {
    id: textAt(tree, ['metadata', 'id']) ?? '',
    title: title ?? '',
    folderPath: textAt(tree, ['metadata', 'folderPath']) ?? defaultFolder,
    defaultTimeRange: textAt(tree, ['settings', 'defaultTimeRange']),
    hidesEnvironment: flagAt(tree, ['settings', 'hideGlobalEnvironmentSelector']) === true,
    variables: listAt(tree, ['content', 'variables'])
      .map(readVariable)
      .filter(({ name }, at, all) => name !== '' && all.findIndex(v => v.name === name) === at),
  }
}

function readVariable(tree: Json): Variable {
  const dynamic = valueAt(tree, ['selector', 'dynamic'])
  const attribute =
    textAt(tree, ['selectorSettings', 'attribute']) ?? textAt(dynamic, ['attributeKey']) ?? ''
  return {
    name: textAt(tree, ['name']) ?? '',
    defaultValue: textAt(tree, ['defaultValue']) ?? '',
    isOverridable: flagAt(tree, ['overridable']) ?? true,
    isMultiple: flagAt(tree, ['multiple']) ?? attribute !== '',
    attribute,
    query: queryOf(listAt(dynamic, ['selectorQueries'])[0]) || 'logs',
  }
}

/** A query as text, or as an object around it. */
function queryOf(tree: Json | undefined): string {
  if (typeof tree === 'string') return tree
  const inner = valueAt(tree, ['metoroQLQuery'])
  return textAt(tree, ['query']) ?? (inner === undefined ? '' : queryOf(inner))
}

/** The path of the list of widgets in a group. */
export function widgetsIn(group: Path): Path {
  return [...group, 'group', 'widgets']
}

/** The widgets of the list at `path`, in the order of the list. */
export function readWidgets(tree: Json, path: Path): readonly Widget[] {
  return listAt(tree, path).map((widget, index) => readWidget(widget, [...path, index]))
}

export function readWidget(widget: Json, path: Path): Widget {
  const type = textAt(widget, ['type']) ?? ''
  const payload = valueAt(widget, [type])
  const display = valueAt(payload, ['displaySettings'])
  /** Settings have been seen in three places. */
  const setting = <T>(read: (tree: Json | undefined, path: Path) => T | undefined, name: string) =>
    read(display, ['globalSettings', name]) ?? read(display, [name]) ?? read(payload, [name])
  const min = setting(numberAt, 'min') ?? 0
  const max = setting(numberAt, 'max') ?? 100
  return {
    path,
    type,
    title: textAt(payload, ['title']) ?? '',
    place: readPlace(valueAt(widget, ['position', 'absolute'])),
    queries: readQueries(valueAt(payload, ['expression'])),
    thresholds: readThresholds(setting(valueAt, 'thresholds')),
    drawing: drawingOf(textAt(payload, ['chartType'])),
    reduction: textAt(payload, ['expression', 'reduceAggregation']) ?? 'last',
    label: setting(textAt, 'label') ?? '',
    min,
    max: max > min ? max : min + 1,
    content: textAt(payload, ['content']) ?? '',
    columns: listAt(display, ['columns']).flatMap(columnOf),
    hidesSearchBar: setting(flagAt, 'hideSearchBar') === true,
    isClosed: setting(flagAt, 'collapsed') === true,
  }
}

function columnOf(tree: Json): string[] {
  const name = typeof tree === 'string' ? tree : (textAt(tree, ['name']) ?? textAt(tree, ['key']))
  return name === undefined || name === '' ? [] : [name]
}

function readPlace(tree: Json | undefined): Place | undefined {
  if (!isObject(tree)) return undefined
  const [x = 0, y = 0, w = 6, h = 4] = ['x', 'y', 'w', 'h'].map(name => numberAt(tree, [name]))
  return onGrid({ x, y, w, h })
}

function readQueries(expression: Json | undefined): readonly WidgetQuery[] {
  const several = listAt(expression, ['metoroQLQueries'])
  const single = valueAt(expression, ['metoroQLQuery'])
  const all = several.length > 0 || single === undefined ? several : [single]
  return all.map(tree => ({
    query: queryOf(tree),
    bucketSeconds: Math.max(0, numberAt(tree, ['bucketSize']) ?? 0),
    label: textAt(tree, ['displaySettings', 'label']) ?? '',
  }))
}

/** The path of a widget's query in the tree, for changing it. */
export function queryPath(tree: Json, widget: Widget, index: number): Path {
  const expression = [...widget.path, widget.type, 'expression']
  const isSeveral =
    widget.type === 'chart' || listAt(tree, [...expression, 'metoroQLQueries']).length > 0
  return isSeveral ? [...expression, 'metoroQLQueries', index] : [...expression, 'metoroQLQuery']
}
