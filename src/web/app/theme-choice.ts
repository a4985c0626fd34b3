/** Dark or light: what was chosen is kept in this browser; without a choice the system decides. */

export type ThemeChoice = 'system' | 'dark' | 'light'

const storageKey = 'logstrata.theme'
export const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

export function storedTheme(): ThemeChoice {
  const stored = localStorage.getItem(storageKey)
  return stored === 'dark' || stored === 'light' ? stored : 'system'
}

export function storeTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, choice)
}

/** Shows the page in this theme; `theme.css` has the colours of both. */
export function applyTheme(choice: ThemeChoice): 'dark' | 'light' {
  const shown = choice === 'system' ? (systemIsDark.matches ? 'dark' : 'light') : choice
  document.documentElement.dataset.theme = shown
  return shown
}
