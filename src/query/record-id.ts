/** The `id` of a record as in every answer, see `store/answer/place-text.ts`. */
import type { Sequence, Timestamp } from '../record.ts'
import { base36 } from './base36.ts'

const timeText = base36()
const arrivalText = base36()

export function idText(timestamp: Timestamp, sequence: Sequence): string {
  return `${timeText(timestamp)}.${arrivalText(sequence)}`
}
