/** One widget alone on the page: the address says which, Escape leaves. */

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useCommands } from '../app/commands.ts'
import { setParams } from '../state/location.ts'
import { textParam } from '../state/param-kinds.ts'
import { urlParam } from '../state/url-param.ts'
import { IconButton } from '../ui/button.tsx'
import { readWidget, type Widget } from './model/board.ts'
import { type Path, pathKey, valueAt } from './model/json-tree.ts'
import { useShown } from './shown.ts'
import { frameHeight, headerHeight } from './sizes.ts'
import { WidgetBody } from './widget-body.tsx'
import { nameOfWidget } from './widget-names.ts'

/** The path of the widget, as `pathKey` writes it; empty mostly. */
const full = urlParam('widget', textParam())

export function FullButton({ widget, name }: { readonly widget: Widget; readonly name: string }) {
  return (
    <span class="widget-link">
      <IconButton
        isSmall
        icon="expand"
        label={`${name}: full screen`}
        onClick={() => full.set(pathKey(widget.path))}
      />
    </span>
  )
}

export function FullWidget() {
  const { model, isEditing } = useShown()
  const path = pathOf(full.value)
  const tree = path === undefined ? undefined : valueAt(model.tree.value, path)
  if (path === undefined || tree === undefined || isEditing) return null
  return <Filling widget={readWidget(tree, path)} />
}

function Filling({ widget }: { readonly widget: Widget }) {
  const titleId = useId()
  const close = useRef<HTMLButtonElement>(null)
  const height = useWindowHeight()
  const name = nameOfWidget(widget)
  const leave = () => setParams(full.change(''))
  useCommands('Dashboard', [
    {
      id: 'board.leave-widget',
      text: 'Leave the full screen of the widget',
      keys: 'Escape',
      run: leave,
    },
  ])
  useLayoutEffect(() => {
    const before = document.activeElement
    close.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <section
      class={`widget framed column widget-${widget.type} widget-filling`}
      aria-labelledby={titleId}
    >
      <header class="widget-header line">
        <h2 class="truncate grows" id={titleId}>
          {name}
        </h2>
        <IconButton
          icon="close"
          label="Leave the full screen"
          keys="Esc"
          buttonRef={close}
          onClick={leave}
        />
      </header>
      <div class="widget-body column fill">
        <WidgetBody widget={widget} height={height - headerHeight - 2 * frameHeight} isInSight />
      </div>
    </section>
  )
}

/** Undefined for what no path of a widget looks like. */
function pathOf(text: string): Path | undefined {
  const isPath = /^content\/widgets\/\d+(\/group\/widgets\/\d+)*$/.test(text)
  return isPath
    ? text.split('/').map(step => (/^\d+$/.test(step) ? Number(step) : step))
    : undefined
}

function useWindowHeight(): number {
  const [height, setHeight] = useState(innerHeight)
  useEffect(() => {
    const onResize = () => setHeight(innerHeight)
    addEventListener('resize', onResize)
    return () => removeEventListener('resize', onResize)
  }, [])
  return height
}
