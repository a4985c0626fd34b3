/**
 * Numbers with or without a unit, as queries and logs write them: `12`, `1e3`, `12ms`, `1h30m`, `3.5s`,
 * `10KB`, `1.5 MiB`. Durations are Go's, and have days, weeks and years besides; sizes count by 1,000
 * (`KB`) or by 1,024 (`KiB`), in any case of the letters.
 */

export type QuantityKind = 'number' | 'duration' | 'bytes'

/** A quantity as a query has it. */
export interface Quantity {
  /** As it is written: `500`, `1.5s`, `10KB`. */
  readonly text: string
  readonly unit: QuantityKind
  /** In nanoseconds or bytes where it has a unit. */
  readonly value: number
}

const digits = '(?:[0-9]+(?:[.][0-9]*)?|[.][0-9]+)'
const numberForm = new RegExp(`^[-+]?${digits}(?:[eE][-+]?[0-9]+)?$`)

const nanoseconds: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3_600e9,
  d: 86_400e9,
  w: 7 * 86_400e9,
  y: 365 * 86_400e9,
}
const durationPart = `(${digits})(ns|us|µs|μs|ms|s|m|h|d|w|y)`
const durationForm = new RegExp(`^[-+]?(?:${durationPart})+$`)
const durationParts = new RegExp(durationPart, 'g')

const bytesForm = new RegExp(`^(${digits})\\s*([kmgtpe]?)(i?)b?$`, 'i')
const powers = ['', 'k', 'm', 'g', 't', 'p', 'e']

/** The number that a text writes; undefined when it writes none, or one too large. */
export function readNumber(text: string): number | undefined {
  if (!numberForm.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** The nanoseconds that a text writes; undefined when it writes no duration. Without a unit only `0` does. */
export function readDuration(text: string): number | undefined {
  if (/^[-+]?0$/.test(text)) return 0
  if (!durationForm.test(text)) return undefined
  let sum = 0
  for (const [, count, unit] of text.matchAll(durationParts))
    sum += Number(count) * nanoseconds[unit!]!
  return text.startsWith('-') ? -sum : sum
}

/** The bytes that a text writes, rounded down; undefined when it writes no size. The unit may be left out. */
export function readBytes(text: string): number | undefined {
  const [, count, power, binary] = bytesForm.exec(text.trim()) ?? []
  if (count === undefined) return undefined
  if (binary !== '' && power === '') return undefined
  return Math.floor(
    Number(count) * (binary === '' ? 1_000 : 1_024) ** powers.indexOf(power!.toLowerCase()),
  )
}

/** The quantity that a query writes, by its unit. */
export function readQuantity(text: string): { kind: QuantityKind; value: number } | undefined {
  const number = readNumber(text)
  if (number !== undefined) return { kind: 'number', value: number }
  const duration = readDuration(text)
  if (duration !== undefined) return { kind: 'duration', value: duration }
  const bytes = readBytes(text)
  return bytes === undefined ? undefined : { kind: 'bytes', value: bytes }
}

/** How the values of a label are read to be compared with a quantity. */
export const readersOf: Readonly<Record<QuantityKind, (text: string) => number | undefined>> = {
  number: readNumber,
  duration: readDuration,
  bytes: readBytes,
}
