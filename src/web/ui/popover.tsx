/**
 * What floats beside its button: opens on click, closes on Escape, on a click elsewhere, and when the
 * focus leaves it; Escape gives the focus back. It lies above all else, wherever in the page its button
 * is (the browser's top layer), goes along when that is scrolled, and stays inside the window. On narrow
 * screens it becomes a sheet at the lower edge (floating.css).
 */

import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

interface PopoverProps {
  /** The button that it belongs to. */
  readonly anchor: RefObject<HTMLElement | null>
  /** Read out when it opens; left out when what is inside has a name of its own. */
  readonly label?: string
  /** It was opened by a key: its first field, or button, takes the focus. */
  readonly takesFocus?: boolean
  readonly children: ComponentChildren
  onClose(): void
}

/** What a button opens beside it: whether it is open, the attributes of the button, and how it is closed. */
export function usePopover() {
  const anchor = useRef<HTMLButtonElement>(null)
  const [openedBy, setOpenedBy] = useState<'key' | 'pointer' | undefined>(undefined)
  const isOpen = openedBy !== undefined
  return {
    anchor,
    isOpen,
    /** Then the focus goes into it; under a pointer it stays, as on a phone its keyboard would come. */
    isByKey: openedBy === 'key',
    open: () => setOpenedBy('key'),
    close: useRef(() => setOpenedBy(undefined)).current,
    button: {
      'aria-expanded': isOpen,
      onClick: ({ detail }: MouseEvent) =>
        setOpenedBy(isOpen ? undefined : detail === 0 ? 'key' : 'pointer'),
    },
  }
}

const distance = 4
const margin = 8
/** Below it the style makes a sheet of it. */
const sheetWidthMax = 520

export function Popover(props: PopoverProps) {
  const { anchor, label, takesFocus = false, children, onClose } = props
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place>({ left: '', top: '' })

  // Before any effect of what is inside: only what is shown can take the focus.
  const show = useRef((element: HTMLDivElement | null) => {
    box.current = element
    element?.showPopover()
  }).current

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const put = () => setPlace(placeBeside(anchor.current, element))
    put()
    // What is inside may come later; and what it belongs to may be scrolled.
    const observer = new ResizeObserver(put)
    observer.observe(element)
    addEventListener('scroll', put, true)
    addEventListener('resize', put)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', put, true)
      removeEventListener('resize', put)
    }
  }, [anchor])

  useLayoutEffect(() => {
    if (!takesFocus) return
    const first = box.current?.querySelector('input') ?? box.current?.querySelector('button')
    first?.focus()
    if (first instanceof HTMLInputElement) first.select()
  }, [takesFocus])

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
    <div class="popover floating" popover="manual" ref={show} style={place} {...named}>
      {children}
    </div>
  )
}

type Place = Readonly<Record<'left' | 'top', string>>

/** Below the button, or above it where it has no room; empty where the style has a place for it. */
function placeBeside(button: HTMLElement | null, box: HTMLElement): Place {
  if (button === null || innerWidth <= sheetWidthMax) return { left: '', top: '' }
  const from = button.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = box
  const left = Math.max(margin, Math.min(from.left, innerWidth - offsetWidth - margin))
  const isRoomBelow = from.bottom + distance + offsetHeight + margin <= innerHeight
  const top = isRoomBelow ? from.bottom + distance : from.top - distance - offsetHeight
  return { left: `${left}px`, top: `${Math.max(margin, top)}px` }
}
