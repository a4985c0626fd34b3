/**
 * A dialog on the browser's own `<dialog>`: it keeps the focus inside, Escape closes it, the rest of the
 * page is inert, and the focus returns to where it was. One at a time: opening a second one is our
 * mistake.
 */

import type { ComponentChildren, TargetedPointerEvent } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** Buttons at its lower edge; the one to press last. */
  readonly actions?: ComponentChildren
  /** `narrow` when left out: as wide as a question. `sheet`: all of the lower part of a phone's screen. */
  readonly width?: 'narrow' | 'wide' | 'sheet'
  onClose(): void
}

export function Dialog({ title, children, actions, width = 'narrow', onClose }: DialogProps) {
  const { box, close } = useModal(onClose)
  const titleId = useId()
  return (
    <dialog
      class={`dialog dialog-${width} floating`}
      aria-labelledby={titleId}
      ref={box}
      {...close}
    >
      <header class="dialog-header line apart">
        <h1 id={titleId}>{title}</h1>
        <IconButton icon="close" label="Close" keys="Esc" onClick={onClose} />
      </header>
      <div class="dialog-body">{children}</div>
      {actions && <footer class="dialog-actions">{actions}</footer>}
    </dialog>
  )
}

/** What makes a `<dialog>` modal for as long as it is there. */
export function useModal(onClose: () => void) {
  const box = useRef<HTMLDialogElement>(null)
  // Before anything else can be pressed: what is typed right after opening is for the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement
    const dialog = box.current
    dialog?.showModal()
    return () => {
      // While it is open nothing else takes the focus, though it is about to go.
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  const close = {
    onCancel: (event: Event) => {
      event.preventDefault()
      onClose()
    },
    /** A press on the ground beside it. */
    onPointerDown: (event: TargetedPointerEvent<HTMLDialogElement>) => {
      if (event.currentTarget === event.target && !isWithin(event, event.currentTarget)) onClose()
    },
  }
  return { box, close }
}

function isWithin(event: PointerEvent, element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const { clientX: x, clientY: y } = event
  return left <= x && x <= right && top <= y && y <= bottom
}
