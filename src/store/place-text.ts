/**
 * Records' places as text for clients: the `id` of a record, and the cursor that continues an answer
 * behind a record. Opaque to clients; ours to change.
 */
import { ProblemError } from '../problems.ts'
import type { Order, RecordPlace } from '../query/earliest.ts'

export function recordId(place: RecordPlace): string {
  return `${place.timestamp.toString(36)}.${place.sequence.toString(36)}`
}

/** A cursor for what follows `place` in `order`. */
export function encodeCursor(place: RecordPlace, order: Order): string {
  return `${order}.${recordId(place)}`
}

/** Throws ProblemError `cursor_invalid` for anything but a cursor of the same order. */
export function decodeCursor(cursor: string, order: Order): RecordPlace {
  const match = /^(asc|desc)\.(-?[0-9a-z]{1,12})\.([0-9a-z]{1,12})$/.exec(cursor)
  if (match === null) throw invalid('is not a cursor that an answer gave')
  if (match[1] !== order) throw invalid(`belongs to order "${match[1]}", asked was "${order}"`)
  const place = {
    timestamp: Number.parseInt(match[2]!, 36),
    sequence: Number.parseInt(match[3]!, 36),
  }
  if (!Number.isSafeInteger(place.timestamp) || !Number.isSafeInteger(place.sequence)) {
    throw invalid('is not a cursor that an answer gave')
  }
  return place
}

function invalid(what: string): ProblemError {
  return new ProblemError('cursor_invalid', `"cursor" ${what}`, { field: 'cursor' })
}
