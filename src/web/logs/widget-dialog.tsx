/** Puts the query that is shown onto a dashboard, one that there is or a new one. */

import '../shared.ts'
import { useState } from 'preact/hooks'
import { listDashboards } from '../api/dashboards.ts'
import { folderText } from '../dashboards/model/folders.ts'
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
    const { addQuery, openBoard } = await import('../dashboards/add-query.ts')
    const text = query.peek()
    const drawn = isAggregate(text) ? drawing.peek() : undefined
    const added = { query: text, title, drawing: drawn, columns: columns.peek() }
    const board = await addQuery(added, id === ofNew ? { title: boardTitle } : { id })
    onClose()
    openBoard(board)
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
