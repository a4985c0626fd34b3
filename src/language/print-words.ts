/** The canonical text of labels, strings and line filters. */

import type { LineFilter, Matcher, Search } from './ast.ts'

export function printFilter({ operator, text, others = [], isAddress }: LineFilter): string {
  if (isAddress) return `${operator} ip(${printString(text)})`
  return `${operator} ${[text, ...others].map(printString).join(' or ')}`
}

export function printMatcher(matcher: Matcher): string {
  const label = printLabel(matcher.label)
  if ('values' in matcher) {
    return `${label} ${matcher.operator} (${matcher.values.map(printString).join(', ')})`
  }
  if (!('unit' in matcher)) {
    return `${label}${matcher.operator}${printString(matcher.value)}`
  }
  // Of texts `=` is the only one, too.
  return `${label} ${matcher.operator === '==' ? '=' : matcher.operator} ${matcher.text}`
}

export function printSearch({ text, isNegated }: Search): string {
  return `${isNegated ? '-' : ''}${printString(text)}`
}

/** The parser takes letters of any script in a bare label; here those that no font confuses. */
const bareLabel = /^[A-Za-z0-9_.:/-]+$/

export function printLabel(label: string): string {
  return bareLabel.test(label) ? label : printString(label)
}

export function printString(text: string): string {
  const isClearestRaw = text.includes('\\') && !/[`\p{Cc}]/u.test(text)
  return isClearestRaw ? `\`${text}\`` : JSON.stringify(text)
}
