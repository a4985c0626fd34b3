/** Dark or light: what was chosen is kept in this browser; without a choice the system decides. */

export const themeChoices = ['system', 'dark', 'light'] as const
type ThemeChoice = (typeof themeChoices)[number]

export const systemIsDark = matchMedia('(prefers-color-scheme: dark)')

/** As `theme.ts` keeps it. */
export function storedTheme(): ThemeChoice {
  const stored = localStorage.getItem('logstrata.theme')
  return stored === 'dark' || stored === 'light' ? stored : 'system'
}

/** Shows the page in this theme; `theme.css` has the colours of both. */
export function applyTheme(choice: ThemeChoice): void {
  const shown = choice === 'system' ? (systemIsDark.matches ? 'dark' : 'light') : choice
  document.documentElement.dataset.theme = shown
}
