/**
 * What floats beside its button: opens on click, closes on Escape, on a click elsewhere, and when the
 * focus leaves it; Escape gives the focus back. It stays inside the window. On narrow screens it becomes a
 * sheet at the lower edge (floating.css).
 */

import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface PopoverProps {
  /** The button that it belongs to. */
  readonly anchor: RefObject<HTMLElement | null>
  /** Read out when it opens; left out when what is inside has a name of its own. */
  readonly label?: string
  readonly children: ComponentChildren
  onClose(): void
}

const distance = 4
const margin = 8
/** Below it the style makes a sheet of it. */
const sheetWidthMax = 520

export function Popover({ anchor, label, children, onClose }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<{ left: string; top: string } | undefined>(undefined)

  useLayoutEffect(() => {
    const button = anchor.current
    if (button === null || box.current === null || innerWidth <= sheetWidthMax) return
    const from = button.getBoundingClientRect()
    const { offsetWidth, offsetHeight } = box.current
    const left = Math.max(margin, Math.min(from.left, innerWidth - offsetWidth - margin))
    const isRoomBelow = from.bottom + distance + offsetHeight + margin <= innerHeight
    const top = isRoomBelow ? from.bottom + distance : from.top - distance - offsetHeight
    setPlace({ left: `${left}px`, top: `${Math.max(margin, top)}px` })
  }, [anchor])

  useLayoutEffect(() => {
    const isInside = (target: EventTarget | null) =>
      target instanceof Node &&
      (box.current?.contains(target) === true || anchor.current?.contains(target) === true)
    const onPointer = (event: PointerEvent) => {
      if (!isInside(event.target)) onClose()
    }
    const onFocus = (event: FocusEvent) => {
      if (!isInside(event.target)) onClose()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onClose()
      anchor.current?.focus()
    }
    document.addEventListener('pointerdown', onPointer)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKey, true)
    return () => {
      document.removeEventListener('pointerdown', onPointer)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [anchor, onClose])

  const named = label === undefined ? {} : ({ role: 'dialog', 'aria-label': label } as const)
  return (
    <div class="popover" ref={box} style={place ?? {}} {...named}>
      {children}
    </div>
  )
}
