/**
 * Puts a query onto a dashboard, one that there is or a new one, so that it can be opened. Loaded when
 * that is asked for: the dashboard that opens next needs all of it, what asks for it does not.
 */

import '../shared.ts'
import { saveDashboard } from '../api/dashboards.ts'
import type { Drawing } from '../chart/drawings.ts'
import { loadBoard } from './actions.ts'
import { rootWidgets } from './model/board.ts'
import { blankDashboard, withTitle, withWidget } from './model/changes.ts'
import { chartTypeOf } from './model/chart-types.ts'
import { type Json, withValue } from './model/json-tree.ts'

export interface AddedQuery {
  readonly query: string
  readonly title: string
  /** How an aggregate is drawn; undefined: the records are shown. */
  readonly drawing: Drawing | undefined
  /** Of the records, beside those that are shown anyway. */
  readonly columns: readonly string[]
}

export { openBoard } from './actions.ts'

/** `board`: the id of one that there is, or the title of a new one. Returns its id. */
export async function addQuery(
  added: AddedQuery,
  board: { readonly id: string } | { readonly title: string },
): Promise<string> {
  const { tree, version } = 'id' in board ? await loadBoard(board.id) : newBoard(board.title)
  return (await saveDashboard(withQuery(tree, added), version)).id
}

function newBoard(title: string): { tree: Json; version: undefined } {
  const tree = withValue(blankDashboard(''), ['metadata', 'id'], undefined)
  return { tree: title.trim() === '' ? tree : withTitle(tree, title.trim()), version: undefined }
}

/** The tree with the query as its last widget, where there is room. */
function withQuery(tree: Json, { query, title, drawing, columns }: AddedQuery): Json {
  const shownTitle = title.trim() || query
  const asked = { query, bucketSize: 0 }
  if (drawing === undefined) {
    const usual = columns.length === 0 ? [] : ['log_level', 'service.name', 'message']
    return withWidget(tree, rootWidgets, 'log', {
      title: shownTitle,
      expression: { metoroQLQuery: asked },
      displaySettings: { hideSearchBar: true, columns: [...usual, ...columns] },
    })
  }
  return withWidget(tree, rootWidgets, 'chart', {
    title: shownTitle,
    chartType: chartTypeOf(drawing),
    expression: { metoroQLQueries: [{ ...asked, displaySettings: { label: '' } }] },
  })
}
