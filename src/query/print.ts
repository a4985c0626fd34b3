/**
 * From the tree back to text, in the one canonical way: `parseQuery(printQuery(query))` is `query`
 * again. Strings that would need doubled backslashes are put in backticks, for a person to read.
 */

import type { Query, Selector } from './ast.ts'

/** The canonical text of `query`. Any text may be a label or a value; it is quoted as needed. */
export function printQuery(query: Query): string {
  if (query.kind === 'selector') {
    return printSelector(query)
  }
  const grouping = query.by.length === 0 ? '' : ` by (${query.by.map(printLabel).join(', ')}) `
  return `${query.operation}${grouping}(${printSelector(query.selector)})`
}

function printSelector({ matchers, filters }: Selector): string {
  const conditions = matchers.map(
    ({ label, operator, value }) => `${printLabel(label)}${operator}${printString(value)}`,
  )
  const braces = conditions.length === 0 ? '' : `{${conditions.join(', ')}}`
  return [
    `logs${braces}`,
    ...filters.map(({ operator, text }) => `${operator} ${printString(text)}`),
  ].join(' ')
}

/** The parser takes letters of any script in a bare label; here only those that no font confuses. */
const bareLabel = /^[A-Za-z0-9_.:/-]+$/

function printLabel(label: string): string {
  return bareLabel.test(label) ? label : printString(label)
}

function printString(text: string): string {
  const isClearestRaw = text.includes('\\') && !/[`\p{Cc}]/u.test(text)
  return isClearestRaw ? `\`${text}\`` : JSON.stringify(text)
}
