/** Which of the frame's own dialogs is open: one at most. */

import { signal } from '@preact/signals'

export const overlay = signal<'none' | 'palette' | 'shortcuts'>('none')

export function openOverlay(name: 'palette' | 'shortcuts'): void {
  overlay.value = name
}

export function closeOverlay(): void {
  overlay.value = 'none'
}
