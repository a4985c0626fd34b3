/** What is edited beside the grid: a widget, the variables, or the dashboard's settings. */

import { useLayoutEffect, useRef } from 'preact/hooks'
import { IconButton } from '../../ui/button.tsx'
import type { BoardModel } from '../board-model.ts'
import { readWidget } from '../model/board.ts'
import { valueAt } from '../model/json-tree.ts'
import { nameOfType } from '../widget-names.ts'
import { SettingsForm } from './settings-form.tsx'
import { VariablesForm } from './variables-form.tsx'
import { WidgetForm } from './widget-form.tsx'

export function SidePanel({ model }: { readonly model: BoardModel }) {
  const panel = model.panel.value
  const box = useRef<HTMLElement>(null)
  const key = typeof panel === 'object' ? panel.widget.join('/') : panel
  useLayoutEffect(() => {
    const before = document.activeElement
    box.current?.focus({ preventScroll: true })
    return () => {
      const isThere = before instanceof HTMLElement && before.isConnected
      if (isThere) before.focus({ preventScroll: true })
    }
  }, [key])
  const tree = model.tree.value
  const value = typeof panel === 'object' ? valueAt(tree, panel.widget) : undefined
  const widget =
    typeof panel === 'object' && value !== undefined ? readWidget(value, panel.widget) : undefined
  const title = panel === 'settings' ? 'Settings' : panel === 'variables' ? 'Variables' : undefined
  if (title === undefined && widget === undefined) return null // Undone, or removed.
  const shownTitle = title ?? nameOfType(widget?.type ?? '')
  return (
    <aside class="side-panel framed column" aria-label={shownTitle} tabIndex={-1} ref={box}>
      <header class="side-panel-header apart">
        <h2>{shownTitle}</h2>
        <IconButton
          isSmall
          icon="close"
          label="Close"
          keys="Esc"
          onClick={() => {
            model.panel.value = undefined
          }}
        />
      </header>
      <div class="side-panel-body" key={key}>
        {panel === 'settings' && <SettingsForm model={model} />}
        {panel === 'variables' && <VariablesForm model={model} />}
        {widget !== undefined && <WidgetForm model={model} widget={widget} />}
      </div>
    </aside>
  )
}
