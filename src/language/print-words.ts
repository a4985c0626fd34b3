/** The canonical text of labels, strings and line filters. */

import type { LineFilter } from './ast.ts'

export function printFilter({ operator, text, others = [] }: LineFilter): string {
  return `${operator} ${[text, ...others].map(printString).join(' or ')}`
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
