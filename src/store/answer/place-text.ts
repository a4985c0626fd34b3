/**
 * Records' places as text for clients: the `id` of a record, the cursor that continues an answer
 * after a record, and the position in the order of arrival from which a tail continues. Opaque to
 * clients; ours to change.
 */
import { ProblemError } from '../../problems.ts'
import { idText } from '../../query/record-id.ts'
import type { Order, RecordPlace } from '../../query/top-k.ts'
import type { Sequence } from '../../record.ts'

export function recordId({ timestamp, sequence }: RecordPlace): string {
  return idText(timestamp, sequence)
}

/** A cursor for what follows `place` in `order`. */
export function encodeCursor(place: RecordPlace, order: Order): string {
  return cursorBehind(recordId(place), order)
}

/** A cursor for what follows the record of an answer that has this id. */
export function cursorBehind(id: string, order: Order): string {
  return `${order}.${id}`
}

/** Throws ProblemError `field_invalid` for anything but an `id` as answers give it. */
export function placeOfId(id: string): RecordPlace {
  const place = parsePlace(id)
  if (place === undefined || recordId(place) !== id) {
    throw new ProblemError('field_invalid', '"id" is not that of a record', { field: 'id' })
  }
  return place
}

/** In the place of a record's id, for a tail that continues with the record `next`. */
export function positionId(next: Sequence): string {
  return `~${next.toString(36)}`
}

/**
 * The first record that a tail wants which continues after `id`, the id of a record or a position.
 * Throws ProblemError `field_invalid` for anything else.
 */
export function sequenceBehind(id: string): Sequence {
  const position = /^~([0-9a-z]{1,12})$/.exec(id)
  const next =
    position === null
      ? (parsePlace(id)?.sequence ?? Number.NaN) + 1
      : Number.parseInt(position[1]!, 36)
  if (!Number.isSafeInteger(next)) {
    const detail = '"Last-Event-ID" is not the id of an event of a tail'
    throw new ProblemError('field_invalid', detail, { field: 'Last-Event-ID' })
  }
  return next
}

/** Throws ProblemError `cursor_invalid` for anything but a cursor of the same order. */
export function decodeCursor(cursor: string, order: Order): RecordPlace {
  const match = /^(asc|desc)\.(.*)$/.exec(cursor)
  const place = match === null ? undefined : parsePlace(match[2]!)
  if (match === null || place === undefined) throw invalid('is not a cursor that an answer gave')
  if (match[1] !== order) throw invalid(`belongs to order "${match[1]}", asked was "${order}"`)
  return place
}

function parsePlace(text: string): RecordPlace | undefined {
  const match = /^(-?[0-9a-z]{1,12})\.([0-9a-z]{1,12})$/.exec(text)
  if (match === null) return undefined
  const timestamp = Number.parseInt(match[1]!, 36)
  const sequence = Number.parseInt(match[2]!, 36)
  const isExact = Number.isSafeInteger(timestamp) && Number.isSafeInteger(sequence)
  return isExact ? { timestamp, sequence } : undefined
}

function invalid(what: string): ProblemError {
  return new ProblemError('cursor_invalid', `"cursor" ${what}`, { field: 'cursor' })
}
