/** The theme as signals: what was chosen, and what is shown, for what draws its own colours. */

import { computed, effect, signal } from '@preact/signals'
import { kept } from '../state/kept.ts'
import { choiceParam } from '../state/param-kinds.ts'
import { applyTheme, systemIsDark, themeChoices } from './theme-choice.ts'

/** Of this browser, in all of its tabs. */
export const themeChoice = kept('theme', choiceParam(themeChoices))
const systemDark = signal(systemIsDark.matches)

/** What the page is shown in. Charts read it, and so redraw themselves when it changes. */
export const shownTheme = computed(() => {
  if (themeChoice.value !== 'system') return themeChoice.value
  return systemDark.value ? 'dark' : 'light'
})

systemIsDark.addEventListener('change', () => {
  systemDark.value = systemIsDark.matches
})

effect(() => {
  applyTheme(shownTheme.value)
})

export function toggleTheme(): void {
  themeChoice.set(shownTheme.value === 'dark' ? 'light' : 'dark')
}
