/** The labels of a stream as Loki's clients write them: `{app="shop", level="info"}`. */

import { ProblemError } from '../../problems.ts'
import type { EventObject } from '../level.ts'

const label = /\s*([\w.:-]+)\s*=\s*("(?:[^"\\]|\\.)*"|`[^`]*`)\s*(,?)/y

/** Throws `field_invalid` with the place, a character from 0. */
export function readLabels(text: string): EventObject {
  const trimmed = text.trim()
  const labels: [string, string][] = []
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) throw invalid(trimmed, 0)
  const inside = trimmed.slice(1, -1)
  label.lastIndex = 0
  let mayFollow = true
  for (let at = 0; inside.slice(at).trim() !== ''; at = label.lastIndex) {
    label.lastIndex = at
    const match: RegExpExecArray | null = mayFollow ? label.exec(inside) : null
    if (match === null) throw invalid(trimmed, at + 1)
    labels.push([match[1]!, unquoted(match[2]!)])
    mayFollow = match[3] === ','
  }
  return Object.fromEntries(labels)
}

/** Go's escapes that JSON has not are kept as they were written. */
function unquoted(quoted: string): string {
  if (quoted.startsWith('`')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted)
  } catch {
    return quoted.slice(1, -1)
  }
}

function invalid(text: string, at: number): ProblemError {
  const found = JSON.stringify(text.slice(at, at + 50))
  const detail = `expected labels as {name="value", …}, found ${found} at character ${at}`
  return new ProblemError('field_invalid', detail, { field: 'labels' })
}
