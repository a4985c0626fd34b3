/**
 * Where an answer continues, as text: the range that was asked about, so that "the last hour" stays the same
 * hour, and what comes next in it. Opaque to the model; ours to change.
 */

import { ProblemError } from '../../../problems.ts'
import type { TimeRange } from '../../../record.ts'

export interface Cursor {
  /** Absent where the answer is about no time. */
  readonly range: TimeRange | undefined
  /** How many came before, or a place among records. */
  readonly next: string
}

const noRange = '-'

export function printCursor({ range, next }: Cursor): string {
  const times = range && [range.startTime, range.endTime].map(time => time.toString(36)).join('~')
  return `${times ?? noRange}~${next}`
}

/** Undefined when there is none. Throws ProblemError `cursor_invalid`. */
export function readCursor(text: string | undefined): Cursor | undefined {
  if (text === undefined) return undefined
  const match = /^(?:-|(-?[0-9a-z]{1,12})~(-?[0-9a-z]{1,12}))~([-.0-9a-z]{1,70})$/.exec(text)
  if (match === null) throw cursorInvalid()
  const [, start, end, next] = match
  if (start === undefined || end === undefined) return { range: undefined, next: next! }
  const range = { startTime: Number.parseInt(start, 36), endTime: Number.parseInt(end, 36) }
  if (![range.startTime, range.endTime].every(Number.isSafeInteger)) throw cursorInvalid()
  return { range, next: next! }
}

/** How many of a list came before. Throws ProblemError `cursor_invalid`. */
export function countBefore(cursor: Cursor | undefined): number {
  return countsBefore(cursor, 1)[0]!
}

/** How many of each of several lists came before. Throws ProblemError `cursor_invalid`. */
export function countsBefore(cursor: Cursor | undefined, listCount: number): number[] {
  if (cursor === undefined) return Array.from({ length: listCount }, () => 0)
  const counts = cursor.next.split('.')
  if (counts.length !== listCount || !counts.every(one => /^\d{1,9}$/.test(one)))
    throw cursorInvalid()
  return counts.map(Number)
}

export function cursorInvalid(): ProblemError {
  const detail = '"cursor" is not the "nextCursor" of an answer of this tool'
  return new ProblemError('cursor_invalid', detail, { field: 'cursor' })
}
