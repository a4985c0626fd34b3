/** What stands in a message where its pattern has a variable: for people to look at. */

import { variableMark } from './message-pattern.ts'

/**
 * The texts in the place of each variable, or undefined where the pattern is not found in the message. What
 * is between two static texts is taken up to the first place where the second one stands.
 */
export function variablesIn(pattern: string, message: string): string[] | undefined {
  const [first = '', ...statics] = pattern.split(variableMark)
  const text = message
    .replaceAll(/\u001b\[[0-9;]*[A-Za-z]?/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (!text.startsWith(first)) return undefined
  let at = first.length
  const variables: string[] = []
  for (const [i, next] of statics.entries()) {
    const isLast = i === statics.length - 1
    const end = isLast ? endOf(text, next) : next === '' ? -1 : text.indexOf(next, at)
    if (end < at) return undefined
    variables.push(text.slice(at, end))
    at = end + next.length
  }
  return variables
}

function endOf(text: string, last: string): number {
  return text.endsWith(last) ? text.length - last.length : -1
}
