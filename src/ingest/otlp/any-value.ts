/**
 * OTLP's values of any type, as the JSON values that the rest of `ingest/` knows.
 *
 * Text, truth, numbers, arrays and objects are what they are; integers that a double cannot hold
 * are `RawNumber`, numbers that JSON does not know (`NaN`, `Infinity`) and bytes (in base64) are
 * text, an empty value is null. Both encodings come here, so that the same record comes out of
 * both.
 */

import { limits } from '../../limits.ts'
import { newNamedValues } from '../../named-values.ts'
import { ProblemError } from '../../problems.ts'
import { type Moment, nanosecondsPerMs } from '../moment.ts'
import { type RawNumber, rawNumber } from '../numbers.ts'

/** Names and values. Any name is only data. */
export type Fields = Record<string, unknown>

export function newFields(): Fields {
  return newNamedValues()
}

/** Undefined for 0, which stands for an unknown time. */
export function timeOf(unixNano: bigint): Moment | undefined {
  if (unixNano === 0n) return undefined
  const timestamp = Number(unixNano / nanosecondsPerMs)
  const isFiner = unixNano % nanosecondsPerMs !== 0n
  return { timestamp, nanoseconds: isFiner ? String(unixNano) : undefined }
}

export function integerValue(value: bigint): number | RawNumber {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : rawNumber(String(value))
}

export function doubleValue(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}

export function bytesValue(value: Uint8Array): string {
  return bufferOf(value).toString('base64')
}

/** Lower-case hex; empty for an id of zeros only, which is not one. */
export function idOf(value: Uint8Array): string {
  return idOfHex(bufferOf(value).toString('hex'))
}

/** What is no hex is kept as it is: better an odd id than none. */
export function idOfHex(text: string): string {
  return /^0*$/.test(text) ? '' : text.toLowerCase()
}

/** Throws `field_invalid` when lists stand deeper inside each other than an event's JSON may. */
export function requireDepth(depth: number): void {
  if (depth > limits.eventDepthMax) {
    const detail = `expected at most ${limits.eventDepthMax} levels of nesting, found more`
    throw new ProblemError('field_invalid', detail, { field: 'value' })
  }
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
