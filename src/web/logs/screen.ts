/** Whether the window is as narrow as a phone's: rows then have two lines, or three. */

import { type ReadonlySignal, signal } from '@preact/signals'

const narrow = matchMedia('(max-width: 720px)')
const current = signal(narrow.matches)
narrow.addEventListener('change', () => {
  current.value = narrow.matches
})

export const isNarrow: ReadonlySignal<boolean> = current
