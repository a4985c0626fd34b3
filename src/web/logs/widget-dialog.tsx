/** Puts the query that is shown onto a dashboard, one that there is or a new one. */

import { useState } from 'preact/hooks'
import { listDashboards, saveDashboard } from '../api/dashboards.ts'
import { loadBoard, openBoard } from '../dashboards/actions.ts'
import { rootWidgets } from '../dashboards/model/board.ts'
import { blankDashboard, withTitle, withWidget } from '../dashboards/model/changes.ts'
import { chartTypeOf } from '../dashboards/model/chart-types.ts'
import { folderText } from '../dashboards/model/folders.ts'
import { type Json, withValue } from '../dashboards/model/json-tree.ts'
import { compareNames } from '../natural-order.ts'
import { ActionDialog } from '../settings/action-dialog.tsx'
import { useRequest } from '../state/request.ts'
import { Field, SelectField } from '../ui/field.tsx'
import { drawing } from './aggregate-view.ts'
import { isAggregate } from './conditions.ts'
import { columns, query } from './shown.ts'

const ofNew = ''

export function WidgetDialog({ onClose }: { onClose(): void }) {
  const [id, setId] = useState(ofNew)
  const [title, setTitle] = useState('')
  const [boardTitle, setBoardTitle] = useState('')
  const boards = useRequest('dashboards', listDashboards)
  const listed = (boards.answer ?? []).toSorted((a, b) => compareNames(a.title, b.title))
  const add = async () => {
    const { tree, version } = id === ofNew ? newBoard(boardTitle) : await loadBoard(id)
    const saved = await saveDashboard(withQuery(tree, title), version)
    onClose()
    openBoard(saved.id)
  }
  return (
    <ActionDialog
      title="Save as a widget"
      act="Add the widget"
      kind="primary"
      onAct={add}
      onClose={onClose}
    >
      <Field
        label="Title of the widget"
        value={title}
        placeholder={query.value}
        onChange={setTitle}
      />
      <SelectField
        label="Dashboard"
        value={id}
        options={[
          { value: ofNew, text: 'A new dashboard' },
          ...listed.map(board => ({
            value: board.id,
            text: `${board.title || board.id} · ${folderText(board.folderPath)}`,
          })),
        ]}
        onChange={setId}
      />
      {id === ofNew && (
        <Field
          label="Title of the dashboard"
          value={boardTitle}
          placeholder="New dashboard"
          onChange={setBoardTitle}
        />
      )}
    </ActionDialog>
  )
}

function newBoard(title: string): { tree: Json; version: undefined } {
  const tree = withValue(blankDashboard(''), ['metadata', 'id'], undefined)
  return { tree: title.trim() === '' ? tree : withTitle(tree, title.trim()), version: undefined }
}

/** The tree with the query as its last widget, where there is room. */
function withQuery(tree: Json, title: string): Json {
  const text = query.peek()
  const shownTitle = title.trim() || text
  const asked = { query: text, bucketSize: 0 }
  if (!isAggregate(text)) {
    const usual = columns.peek().length === 0 ? [] : ['log_level', 'service.name', 'message']
    return withWidget(tree, rootWidgets, 'log', {
      title: shownTitle,
      expression: { metoroQLQuery: asked },
      displaySettings: { hideSearchBar: true, columns: [...usual, ...columns.peek()] },
    })
  }
  return withWidget(tree, rootWidgets, 'chart', {
    title: shownTitle,
    chartType: chartTypeOf(drawing.peek()),
    expression: { metoroQLQueries: [{ ...asked, displaySettings: { label: '' } }] },
  })
}
