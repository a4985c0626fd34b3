/**
 * Short words about what was just done, with Undo where it can be undone. They stand at the lower left,
 * where no button is, are read out, and wait while the pointer or the focus is on them. Where something
 * fills the screen they stand in it, as nothing else is seen.
 */

import { signal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button, IconButton } from './button.tsx'
import { explain } from './states.tsx'

interface Toast {
  readonly id: number
  readonly text: string
  readonly undo: (() => void) | undefined
}

const shown = signal<readonly Toast[]>([])
let lastId = 0

/** Time a toast stays, ms; with something to undo longer. */
const stayMs = { plain: 4_000, undo: 10_000 } as const

/** Says `text`. `undo` takes back what it tells of. */
export function toast(text: string, undo?: () => void): void {
  lastId += 1
  shown.value = [...shown.value.slice(-2), { id: lastId, text, undo }]
}

/** Does it; a failure is told in the service's words. */
export async function attempt(act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } catch (error) {
    toast(explain(error).detail)
  }
}

function dismiss(id: number): void {
  shown.value = shown.value.filter(one => one.id !== id)
}

/** What fills the screen; null mostly. */
const fullScreen = signal(document.fullscreenElement)
document.addEventListener('fullscreenchange', () => {
  fullScreen.value = document.fullscreenElement
})

/** Once in the frame, and once in what can fill the screen: `within`. */
export function Toasts({ within }: { readonly within?: RefObject<Element | null> }) {
  const filling = fullScreen.value
  const isHere =
    within === undefined ? filling === null : filling !== null && filling === within.current
  return (
    <div class="toasts column" role="status" aria-live="polite">
      {isHere && shown.value.map(one => <ToastView key={one.id} toast={one} />)}
    </div>
  )
}

function ToastView({ toast: { id, text, undo } }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(() => dismiss(id), undo ? stayMs.undo : stayMs.plain)
    return () => clearTimeout(timer)
  }, [isHeld, id, undo])
  const hold = () => setHeld(true)
  const release = () => setHeld(false)
  return (
    <div
      class="toast floating line"
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocusIn={hold}
      onFocusOut={release}
    >
      <span>{text}</span>
      {undo && (
        <Button
          isSmall
          onClick={() => {
            dismiss(id)
            undo()
          }}
        >
          Undo
        </Button>
      )}
      <IconButton isSmall icon="close" label="Dismiss" onClick={() => dismiss(id)} />
    </div>
  )
}
