/** Bounds of retention as people write them, and what they would delete in words. */

import { parseDuration, printDuration } from '../../language/duration.ts'
import { readBytes } from '../../language/quantity.ts'
import { limits } from '../../limits.ts'
import type { RetentionAnswer } from '../api/settings.ts'
import { bytesText, plural } from '../format.ts'
import { dayText, type Zone } from '../time/clock.ts'

/** A bound that was read, null for none; or why it cannot be. */
export type Read = { readonly value: number | null } | { readonly fault: string }

/** Such as `30d`; nothing for no bound. */
export function readAge(text: string): Read {
  if (text.trim() === '') return { value: null }
  const value = parseDuration(text.trim())
  if (value === undefined) return { fault: 'write a duration such as 30d, 12h or 1y' }
  const isWithin = value >= limits.retentionAgeMsMin && value <= limits.retentionAgeMsMax
  return isWithin ? { value } : { fault: 'from 1m to 100y' }
}

/** Such as `200GiB`; nothing for no bound. */
export function readSize(text: string): Read {
  if (text.trim() === '') return { value: null }
  const value = readBytes(text)
  if (value === undefined) return { fault: 'write a size such as 200GiB or 1TiB' }
  const isWithin = value >= limits.retentionBytesMin && value <= limits.retentionBytesMax
  return isWithin ? { value } : { fault: 'from 1MiB to 1024TiB' }
}

export function ageText(ageMs: number | null): string {
  return ageMs === null ? '' : printDuration(ageMs)
}

const units = ['TiB', 'GiB', 'MiB', 'KiB'] as const

/** In the largest unit of which it is a whole number. */
export function sizeText(bytes: number | null): string {
  if (bytes === null) return ''
  const at = units.findIndex((_, index) => bytes % 1_024 ** (4 - index) === 0)
  return at < 0 ? `${bytes}B` : `${bytes / 1_024 ** (4 - at)}${units[at]}`
}

/** `1,234 records of 3 Nov 2026 to 5 Nov 2026, 12 MiB`; undefined when nothing goes. */
export function deletionText(deletes: RetentionAnswer['deletes'], zone: Zone): string | undefined {
  const { records, bytes, earliest, latest } = deletes
  if (records === 0 || earliest === null || latest === null) return undefined
  const [first, last] = [dayText(earliest, zone), dayText(latest, zone)]
  const days = first === last ? first : `${first} to ${last}`
  return `${plural(records, 'record')} of ${days}, ${bytesText(bytes)}`
}
