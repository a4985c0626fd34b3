/** The times of a record as its row has them: ours are exact, and those that others read are near. */
import type { Timestamp } from '../../record.ts'

/** What DateTime64(9) holds: from 1970 to 2262. */
const nanosecondsMax = 2n ** 63n - 1n
const nanosecondsPerMs = 1_000_000n
const timestampMax = Number(nanosecondsMax / nanosecondsPerMs)
/** What DateTime holds, seconds: to 2106. */
const secondsMax = 2 ** 32 - 1
const daySeconds = 86_400

/** Whether `Timestamp` has a time as it is. */
export function isOfNanoseconds(time: Timestamp): boolean {
  return time > 0 && time < timestampMax
}

/** `Timestamp`: whole nanoseconds, those that the record's attribute `text` gives where they fit its time. */
export function nanosecondsOf(time: Timestamp, text: string | undefined): bigint {
  if (time <= 0) return 0n
  if (time >= timestampMax) return nanosecondsMax
  const coarse = BigInt(time) * nanosecondsPerMs
  if (text === undefined || !/^\d{1,19}$/.test(text)) return coarse
  const fine = BigInt(text)
  return fine - coarse >= 0n && fine - coarse < nanosecondsPerMs ? fine : coarse
}

/** `TimestampTime`: whole seconds. */
export function secondsOf(time: Timestamp): number {
  return Math.min(secondsMax, Math.max(0, Math.floor(time / 1_000)))
}

/** The day of the row's partition, since 1970. */
export function dayOfRow(time: Timestamp): number {
  return Math.floor(secondsOf(time) / daySeconds)
}
