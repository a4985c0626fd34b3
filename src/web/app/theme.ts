/** The theme as signals: what was chosen, and what is shown, for what draws its own colours. */

import { computed, effect, signal } from '@preact/signals'
import {
  applyTheme,
  storedTheme,
  storeTheme,
  systemIsDark,
  type ThemeChoice,
} from './theme-choice.ts'

const choice = signal<ThemeChoice>(storedTheme())
const systemDark = signal(systemIsDark.matches)

export const themeChoice = computed(() => choice.value)

/** What the page is shown in. Charts read it, and so redraw themselves when it changes. */
export const shownTheme = computed(() => {
  if (choice.value !== 'system') return choice.value
  return systemDark.value ? 'dark' : 'light'
})

systemIsDark.addEventListener('change', () => {
  systemDark.value = systemIsDark.matches
})

effect(() => {
  applyTheme(shownTheme.value)
})

export function chooseTheme(next: ThemeChoice): void {
  storeTheme(next)
  choice.value = next
}

export function toggleTheme(): void {
  chooseTheme(shownTheme.value === 'dark' ? 'light' : 'dark')
}
