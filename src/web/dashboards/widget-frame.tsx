/** A widget's frame: its title, what can be done with it, its query on hover or focus, and its content. */

import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { QueryText } from '../query/query-text.tsx'
import { buttonClass, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useClosedGroup } from './edit/closed-group.ts'
import { EditTools } from './edit/edit-tools.tsx'
import type { Placing } from './edit/placing.ts'
import { FullButton } from './full-widget.tsx'
import { GridView } from './grid-view.tsx'
import { type Widget, widgetsIn } from './model/board.ts'
import type { Place } from './model/grid.ts'
import { logsAddress, useShown } from './shown.ts'
import { frameHeight, headerHeight, rowsHeight } from './sizes.ts'
import { WidgetBody } from './widget-body.tsx'
import { nameOfWidget } from './widget-names.ts'

interface WidgetFrameProps {
  readonly widget: Widget
  /** In the list of its grid. */
  readonly index: number
  readonly place: Place
  readonly placing: Placing
}

export function WidgetFrame({ widget, index, place, placing }: WidgetFrameProps) {
  const shown = useShown()
  const { model, isEditing } = shown
  const frame = useRef<HTMLElement>(null)
  const isInSight = useInSight(frame)
  const titleId = useId()
  const panel = model.panel.value
  const isSelected =
    isEditing && typeof panel === 'object' && panel.widget.join() === widget.path.join()
  useEffect(() => {
    if (isSelected) frame.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  const isGroup = widget.type === 'group'
  const isClosed = isGroup && model.isClosed(widget.path, widget.isClosed)
  const isDropTarget = useClosedGroup(model, widget, isClosed, frame)
  const name = nameOfWidget(widget)
  const hasHeader = widget.type !== 'markdown' || isEditing
  return (
    <section
      class={`widget framed column widget-${widget.type}${isSelected ? ' widget-selected' : ''}${isDropTarget ? ' widget-drop' : ''}`}
      aria-labelledby={titleId}
      ref={frame}
    >
      {hasHeader ? (
        <header
          class="widget-header line"
          onPointerDown={
            isEditing ? event => onTitle(event) && placing.begin(event, index, 'move') : undefined
          }
        >
          {isGroup && (
            <IconButton
              isSmall
              icon={isClosed ? 'right' : 'down'}
              label={isClosed ? `Open ${name}` : `Close ${name}`}
              aria-expanded={!isClosed}
              onClick={() => model.toggle(widget.path)}
            />
          )}
          <h2 class="truncate grows" id={titleId} title={name}>
            {name}
          </h2>
          {isEditing ? (
            <EditTools widget={widget} index={index} name={name} placing={placing} />
          ) : (
            <>
              <QueryTools widget={widget} name={name} />
              {!isGroup && <FullButton widget={widget} name={name} />}
            </>
          )}
        </header>
      ) : (
        <h2 class="visually-hidden" id={titleId}>
          {name}
        </h2>
      )}
      {!isClosed && (
        <div class="widget-body column fill">
          {isGroup ? (
            <GridView path={widgetsIn(widget.path)} />
          ) : (
            <WidgetBody
              widget={widget}
              height={rowsHeight(place.h) - headerHeight - frameHeight}
              isInSight={isInSight}
            />
          )}
        </div>
      )}
      {isEditing && !isGroup && (
        <div
          class="widget-corner"
          aria-hidden="true"
          onPointerDown={event => placing.begin(event, index, 'size')}
        />
      )}
    </section>
  )
}

/** The mouse takes a widget by its whole title line; there a finger scrolls the page, and takes the grip. */
function onTitle({ target, pointerType }: PointerEvent): boolean {
  const isOnControl = target instanceof Element && target.closest('button, a, input') !== null
  return pointerType !== 'touch' && !isOnControl
}

/** The way to the records, and beside it what was asked. */
export function QueryTools({ widget, name }: { readonly widget: Widget; readonly name: string }) {
  const shown = useShown()
  const queryId = useId()
  if (widget.queries.length === 0) return null
  const to = logsAddress(widget.queries[0]!.query, shown, shown.times) ?? '/logs'
  return (
    <div class="widget-tools">
      <a
        class={`${buttonClass({ isSmall: true })} button-icon widget-link`}
        href={to}
        aria-label={`${name}: open in the log viewer`}
        aria-describedby={queryId}
      >
        <Icon name="external" />
      </a>
      <div class="widget-query floating" id={queryId}>
        {widget.queries.map(({ query, label }) => (
          <div key={`${label} ${query}`}>
            {widget.queries.length > 1 && label !== '' && <span class="soft">{label}</span>}
            <span class="visually-hidden">{query}</span>
            <QueryText text={query} />
          </div>
        ))}
      </div>
    </div>
  )
}

/** Becomes true when the element comes near the window, and stays so: then its queries are asked. */
function useInSight(frame: { readonly current: HTMLElement | null }): boolean {
  const [isInSight, setInSight] = useState(false)
  useEffect(() => {
    if (frame.current === null) return undefined
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setInSight(true)
        observer.disconnect()
      },
      // The margin counts only around what scrolls.
      { root: frame.current.closest('.board:fullscreen, .view'), rootMargin: '300px' },
    )
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  return isInSight
}
