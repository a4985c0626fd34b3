/** Times as text (RFC 3339, UTC, with milliseconds), for many that lie close together. */
import type { Timestamp } from '../../record.ts'

const second = 1_000
const milliseconds = Array.from({ length: second }, (_, ms) => `${String(ms).padStart(3, '0')}Z`)

/** Returns what `toISOString` returns of a Date; several times as fast within one second. */
export function utcText(): (timestamp: Timestamp) => string {
  let start = Number.NaN
  let startText = ''
  return timestamp => {
    const ms = timestamp - start
    if (ms >= 0 && ms < second) return startText + milliseconds[ms]
    start = Math.floor(timestamp / second) * second
    startText = new Date(start).toISOString().slice(0, -4)
    return startText + milliseconds[timestamp - start]
  }
}
