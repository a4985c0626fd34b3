/** Where the records around one continue: behind which record, and how many of them, on either side. */

import { limits } from '../../../limits.ts'
import { type Cursor, cursorInvalid, printCursor } from './cursor.ts'

export interface Side {
  /** Of the outermost record that was given. */
  readonly id: string
  /** How many are still wanted beyond it. */
  readonly count: number
}

export interface Sides {
  readonly before: Side
  readonly after: Side
}

export function printSides({ before, after }: Sides): string {
  const next = [before.id, before.count, after.id, after.count].join('.')
  return printCursor({ range: undefined, next })
}

const form = /^(-?[0-9a-z]+\.[0-9a-z]+)\.(\d{1,4})\.(-?[0-9a-z]+\.[0-9a-z]+)\.(\d{1,4})$/

/** Throws ProblemError `cursor_invalid`. */
export function readSides({ next }: Cursor): Sides {
  const [, before, beforeCount, after, afterCount] = form.exec(next) ?? []
  if (before === undefined || after === undefined) throw cursorInvalid()
  const sides = {
    before: { id: before, count: Number(beforeCount) },
    after: { id: after, count: Number(afterCount) },
  }
  const isPossible = Math.max(sides.before.count, sides.after.count) <= limits.contextRecordsMax
  if (!isPossible) throw cursorInvalid()
  return sides
}
