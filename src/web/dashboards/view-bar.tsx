/**
 * The line above a dashboard: where it lies, what it is called, its time range, and what can be done with
 * it.
 */

import { useState } from 'preact/hooks'
import { pathTo } from '../../http/page-paths.ts'
import { keepingEnvironment } from '../app/environment.tsx'
import { may } from '../app/session.ts'
import type { TimeRange } from '../time/range.ts'
import { TimeRangeButton } from '../time/time-range.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { deleteBoard, duplicateBoard, exportBoard } from './actions.ts'
import type { BoardModel } from './board-model.ts'
import { editing } from './board-view.tsx'
import { JsonDialog } from './edit/json-dialog.tsx'
import { folderText } from './model/folders.ts'
import { RefreshButtons } from './refresh.tsx'

interface ViewBarProps {
  readonly model: BoardModel
  readonly range: TimeRange
  readonly isEditing: boolean
  onRange(range: TimeRange): void
  onRefresh(): void
  onFullScreen(): void
}

export function ViewBar(props: ViewBarProps) {
  const { model, range, isEditing } = props
  const [isJsonOpen, setJsonOpen] = useState(false)
  const { title, id, folderPath } = model.board.value
  const items: readonly MenuItem[] = [
    { text: 'Full screen', icon: 'expand', run: props.onFullScreen },
    { text: 'Show as JSON', icon: 'table', run: () => setJsonOpen(true) },
    { text: 'Export JSON', icon: 'download', run: () => exportBoard(model.tree.peek()) },
    ...(may('editor') && model.isStored.value
      ? [
          {
            text: 'Duplicate',
            icon: 'copy',
            run: () => void duplicateBoard(model.tree.peek()),
          } as const,
          {
            text: 'Delete',
            icon: 'trash',
            isDangerous: true,
            run: () => {
              model.discard()
              void deleteBoard(id)
            },
          } as const,
        ]
      : []),
  ]
  return (
    <header class="board-header apart wraps">
      <div class="board-title column">
        <a class="board-folder soft truncate small" href={keepingEnvironment(pathTo('dashboards'))}>
          {folderText(folderPath)}
        </a>
        <h1 class="truncate">{title || id}</h1>
      </div>
      <div class="board-tools line wraps">
        <TimeRangeButton value={range} onChange={props.onRange} />
        <RefreshButtons onRefresh={props.onRefresh} />
        {may('editor') && !isEditing && (
          <Button kind="outline" icon="edit" title="Edit (e)" onClick={() => editing.set(true)}>
            Edit
          </Button>
        )}
        <span class="board-full">
          <IconButton
            kind="outline"
            icon="expand"
            label="Full screen"
            keys="f"
            onClick={props.onFullScreen}
          />
        </span>
        <Menu label="More" className="button button-outline button-icon" items={items}>
          <Icon name="more" />
        </Menu>
      </div>
      {isJsonOpen && (
        <JsonDialog model={model} isReadOnly={!isEditing} onClose={() => setJsonOpen(false)} />
      )}
    </header>
  )
}
