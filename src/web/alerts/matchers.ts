/** Conditions on labels, as silences have them and as people write them: `host="a", env=~"dev|test"`. */

import type { SilenceMatcher } from '../api/alerts.ts'

const form = /\s*([^\s=!~,"]+)\s*(=~|!~|!=|=)\s*("(?:[^"\\]|\\.)*")\s*(,|$)/y

/** Undefined where the text is none, or has none. */
export function readMatchers(text: string): readonly SilenceMatcher[] | undefined {
  const matchers: SilenceMatcher[] = []
  form.lastIndex = 0
  while (form.lastIndex < text.trimEnd().length) {
    const [, label, operator, value] = form.exec(text) ?? []
    if (label === undefined || value === undefined) return undefined
    try {
      const read = JSON.parse(value) as string
      matchers.push({ label, operator: operator as SilenceMatcher['operator'], value: read })
    } catch {
      return undefined
    }
  }
  return matchers.length === 0 ? undefined : matchers
}

export function matchersText(matchers: readonly SilenceMatcher[]): string {
  return matchers
    .map(({ label, operator, value }) => `${label}${operator}${JSON.stringify(value)}`)
    .join(', ')
}

/** Of all labels of an alert. */
export function matchersOf(labels: Readonly<Record<string, string>>): readonly SilenceMatcher[] {
  return Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([label, value]) => ({ label, operator: '=', value }))
}
