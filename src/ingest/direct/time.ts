/**
 * A sender's time out of the bytes of its JSON, when it is written in one of the two usual ways: RFC
 * 3339 in UTC, or milliseconds since 1970 as an integer. Anything else is for `timestamp.ts`.
 */

import type { Timestamp } from '../../record.ts'
import { byte, isDigit } from '../bytes.ts'
import { msDigitsMax, msDigitsMin } from '../epoch.ts'
import { nanosecondsPerMs } from '../moment.ts'
import { readTimestamp } from '../timestamp.ts'

const nsPerMs = Number(nanosecondsPerMs)

/** Of `2026-11-21T02:31:`. */
const minuteBytes = 17

/** Remembers the minute that it read last: most times are in the same. */
export class DirectTime {
  /** Nanoseconds beyond the millisecond of the time that was read last. */
  subMsNanoseconds = 0
  readonly #minute = new Uint8Array(minuteBytes)
  #minuteMs = 0

  /** The time between `start` and `end` of `body`, the inside of a string; undefined for other forms. */
  readText(body: Buffer, start: number, end: number): Timestamp | undefined {
    const second = start + minuteBytes
    if (end - start < minuteBytes + 3 || body[end - 1] !== byte.upperZ) return undefined
    if (!isDigit(body[second]) || !isDigit(body[second + 1])) return undefined
    const seconds = 10 * (body[second]! - byte.zero) + body[second + 1]! - byte.zero
    if (seconds > 59) return undefined // Perhaps a leap second.
    const fraction = readFraction(body, second + 2, end - 1)
    if (fraction === undefined) return undefined
    const fractionMs = Math.floor(fraction / nsPerMs)
    this.subMsNanoseconds = fraction - fractionMs * nsPerMs
    const minuteMs = this.#isSameMinute(body, start)
      ? this.#minuteMs
      : this.#readMinute(body, start)
    return minuteMs === undefined ? undefined : minuteMs + 1000 * seconds + fractionMs
  }

  #isSameMinute(body: Buffer, start: number): boolean {
    const minute = this.#minute
    for (let i = minuteBytes - 1; i >= 0; i--) {
      if (minute[i] !== body[start + i]) return false
    }
    return true
  }

  #readMinute(body: Buffer, start: number): number | undefined {
    const text = `${body.toString('latin1', start, start + minuteBytes)}00Z`
    const minuteMs = readTimestamp(text)
    if (minuteMs === undefined) return undefined
    this.#minuteMs = minuteMs
    body.copy(this.#minute, 0, start, start + minuteBytes)
    return this.#minuteMs
  }
}

/** The time that the JSON number between `start` and `end` of `body` says; undefined for other forms. */
export function readMilliseconds(body: Buffer, start: number, end: number): Timestamp | undefined {
  const digits = end - start
  if (digits < msDigitsMin || digits > msDigitsMax) return undefined
  let value = 0
  for (let offset = start; offset < end; offset++) {
    if (!isDigit(body[offset])) return undefined
    value = 10 * value + body[offset]! - byte.zero
  }
  return value
}

/** Nanoseconds of `.123456`, or of nothing; undefined when it is something else. */
function readFraction(body: Buffer, start: number, end: number): number | undefined {
  if (start === end) return 0
  if (body[start] !== byte.dot || end - start < 2) return undefined
  let nanoseconds = 0
  let worth = 100_000_000
  for (let offset = start + 1; offset < end; offset++) {
    if (!isDigit(body[offset])) return undefined
    if (worth >= 1) nanoseconds += worth * (body[offset]! - byte.zero)
    worth /= 10
  }
  return nanoseconds
}
