/** The buttons in a widget's title line while a dashboard is edited. */

import { useState } from 'preact/hooks'
import { IconButton } from '../../ui/button.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { Widget } from '../model/board.ts'
import { withWidgetCopy } from '../model/changes.ts'
import { useShown } from '../shown.ts'
import type { Placing } from './placing.ts'

interface EditToolsProps {
  readonly widget: Widget
  readonly index: number
  readonly name: string
  readonly placing: Placing
}

export function EditTools({ widget, index, name, placing }: EditToolsProps) {
  const { model } = useShown()
  const [said, setSaid] = useState('')
  const { path } = widget
  const remove = () => {
    model.remove(path)
    toast(`Removed “${name}”. Undo brings it back.`)
    // The button that had the focus is gone.
    document.getElementById('view')?.focus()
  }
  return (
    <div class="widget-tools widget-edit-tools">
      <span
        class="widget-grip"
        onPointerDown={event => {
          placing.begin(event, index, 'move')
          // What is dragged can be moved on by the keys.
          event.currentTarget.querySelector('button')?.focus({ preventScroll: true })
        }}
      >
        <IconButton
          isSmall
          icon="move"
          label={`Move ${name}: drag it, or press arrow keys; with Shift they size`}
          onKeyDown={event => {
            const place = placing.byKey(event, index)
            if (place === undefined) return
            const { x, y, w, h } = place
            setSaid(`column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`)
          }}
        />
      </span>
      <IconButton
        isSmall
        icon="edit"
        label={`Edit ${name}`}
        onClick={() => {
          model.panel.value = { widget: path }
        }}
      />
      <IconButton
        isSmall
        icon="copy"
        label={`Copy ${name}`}
        onClick={() => model.change(withWidgetCopy(model.tree.peek(), path.slice(0, -1), index))}
      />
      <IconButton isSmall icon="trash" label={`Remove ${name}`} onClick={remove} />
      <span class="visually-hidden" role="status">
        {said}
      </span>
    </div>
  )
}
