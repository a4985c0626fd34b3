/** A point of time as a sender says it. */

import type { Timestamp } from '../record.ts'

export interface Moment {
  readonly timestamp: Timestamp
  /** Nanoseconds since 1970, in decimal, when it is finer than the timestamp; what is finer yet is cut
   *  off towards the past. */
  readonly nanoseconds: string | undefined
}

/** Of the digits of nanoseconds, those below a millisecond. */
export const subMsDigits = 6
export const nanosecondsPerMs = 1_000_000n

const msDigits = 3
const nsDigits = 9

/** The moment `fraction` after a second: decimal digits, or none; beyond nanoseconds they are cut off. */
export function withFraction(secondMs: Timestamp, fraction: string): Moment {
  if (fraction === '') return { timestamp: secondMs, nanoseconds: undefined }
  const digits = fraction.slice(0, nsDigits).padEnd(nsDigits, '0')
  const timestamp = secondMs + Number(digits.slice(0, msDigits))
  const subMs = digits.slice(msDigits)
  if (Number(subMs) === 0) return { timestamp, nanoseconds: undefined }
  if (timestamp > 0) return { timestamp, nanoseconds: `${timestamp}${subMs}` }
  return { timestamp, nanoseconds: String(BigInt(timestamp) * nanosecondsPerMs + BigInt(subMs)) }
}
