/** The line of editing: add, undo, what else there is to edit, and save. */

import { useState } from 'preact/hooks'
import { pathTo } from '../../../http/page-paths.ts'
import { useCommands } from '../../app/commands.ts'
import { keepingEnvironment } from '../../app/environment.tsx'
import { go } from '../../state/location.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { BoardModel, Panel } from '../board-model.ts'
import { editing } from '../board-view.tsx'
import { readWidgets, rootWidgets, type WidgetType, widgetTypes } from '../model/board.ts'
import { withNewWidget } from '../model/changes.ts'
import { type Path, valueAt } from '../model/json-tree.ts'
import { nameOfType } from '../widget-names.ts'
import { JsonDialog } from './json-dialog.tsx'
import { SaveOutcome } from './save-outcome.tsx'
import { useSaving } from './use-saving.ts'

export function EditBar({ model }: { readonly model: BoardModel }) {
  const [isJsonOpen, setJsonOpen] = useState(false)
  const saving = useSaving(model)
  const { isSaving, save } = saving
  const isDirty = model.isDirty.value
  const isStored = model.isStored.value
  const giveUp = () => {
    if (!isStored) go(keepingEnvironment(pathTo('dashboards')))
    else if (isDirty) model.discard()
    else editing.set(false)
  }
  useCommands('Edit', [
    { id: 'board.undo', text: 'Undo', keys: 'Mod+z', run: () => model.undo() },
    { id: 'board.redo', text: 'Redo', keys: 'Mod+Shift+z', run: () => model.redo() },
    { id: 'board.save', text: 'Save', keys: 'Mod+s', run: () => void save() },
    {
      id: 'board.close-panel',
      text: 'Close the panel',
      keys: 'Escape',
      run: () => {
        model.panel.value = undefined
      },
    },
  ])
  const toggle = (panel: Panel) => {
    model.panel.value = model.panel.peek() === panel ? undefined : panel
  }
  return (
    <div class="edit-bar framed line wraps" role="toolbar" aria-label="Edit the dashboard">
      <AddWidgetButton model={model} />
      <IconButton
        icon="undo"
        label="Undo"
        keys="Ctrl Z"
        disabled={!model.canUndo.value}
        onClick={() => model.undo()}
      />
      <IconButton
        icon="redo"
        label="Redo"
        keys="Ctrl Shift Z"
        disabled={!model.canRedo.value}
        onClick={() => model.redo()}
      />
      <Button
        icon="settings"
        aria-pressed={model.panel.value === 'settings'}
        onClick={() => toggle('settings')}
      >
        Settings
      </Button>
      <Button
        icon="filter"
        aria-pressed={model.panel.value === 'variables'}
        onClick={() => toggle('variables')}
      >
        Variables
      </Button>
      <Button icon="table" onClick={() => setJsonOpen(true)}>
        JSON
      </Button>
      <div class="line at-end">
        <span class="edit-state soft" role="status">
          {!isStored ? 'Not saved yet' : isDirty ? 'Not saved' : 'All saved'}
        </span>
        <Button onClick={giveUp}>{isDirty || !isStored ? 'Discard' : 'Done'}</Button>
        <Button
          kind="primary"
          disabled={(isStored && !isDirty) || isSaving}
          onClick={() => void save()}
        >
          Save
        </Button>
      </div>
      <SaveOutcome saving={saving} />
      {isJsonOpen && <JsonDialog model={model} onClose={() => setJsonOpen(false)} />}
    </div>
  )
}

const icons: Readonly<Record<WidgetType, IconName>> = {
  chart: 'chart',
  stat: 'info',
  gauge: 'clock',
  log: 'logs',
  markdown: 'edit',
  group: 'layers',
}

/** Adds to the dashboard, or to one of its groups. */
export function AddWidgetButton({ model }: { readonly model: BoardModel }) {
  const groups = readWidgets(model.tree.value, rootWidgets).filter(({ type }) => type === 'group')
  const panel = model.panel.value
  const selected = typeof panel === 'object' ? panel.widget : undefined
  const group = groups.find(({ path }) => path.every((step, at) => selected?.[at] === step))
  const add = (path: Path, type: WidgetType) => {
    const next = withNewWidget(model.tree.peek(), path, type)
    const list = valueAt(next, path) as readonly unknown[]
    model.change(next)
    model.panel.value = { widget: [...path, list.length - 1] }
  }
  const into = group === undefined ? rootWidgets : [...group.path, 'group', 'widgets']
  const heading =
    group === undefined ? 'Add to the dashboard' : `Add to the group “${group.title || 'Group'}”`
  return (
    <Menu
      label="Add widget"
      className="button button-outline"
      items={[
        { heading },
        ...widgetTypes.map(type => ({
          text: nameOfType(type),
          icon: icons[type],
          run: () => add(into, type),
        })),
      ]}
    >
      <Icon name="plus" />
      Add widget
    </Menu>
  )
}
