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
