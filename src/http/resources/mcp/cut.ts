/** Long texts, cut so that one sees it, and how much is missing. */

/** A text of `lengthMax` characters at most, and a mark. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const isHalf = /[\ud800-\udbff]/.test(text[lengthMax - 1] ?? '')
  const shown = text.slice(0, isHalf ? lengthMax - 1 : lengthMax)
  return `${shown}… (+${text.length - shown.length} characters)`
}

/** The same value with every text in it cut; names of members stay whole. */
export function cutTexts(value: unknown, lengthMax: number): unknown {
  if (typeof value === 'string') return cutText(value, lengthMax)
  if (Array.isArray(value)) return value.map(one => cutTexts(one, lengthMax))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, one]) => [name, cutTexts(one, lengthMax)])
  return Object.fromEntries(members)
}
