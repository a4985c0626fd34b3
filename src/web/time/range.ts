/**
 * Time ranges as people write them and as addresses carry them: two moments, each relative (`now-1h`) or
 * absolute (`2026-11-20 14:00`). A relative range stays relative: a shared link to the last hour shows the
 * last hour.
 */

import { parseDuration } from '../../language/duration.ts'
import { dayMs, hourMs } from '../../time-units.ts'
import { dateTimeText, dayText, partsOf, timeOf, type Zone } from './clock.ts'

/** The moments as texts; `momentOf` reads them. */
export interface TimeRange {
  readonly from: string
  readonly to: string
}

/** Both inclusive, ms since 1970. */
export interface Times {
  readonly startTime: number
  readonly endTime: number
}

/** What a moment is read against. */
export interface Reading {
  readonly now: number
  readonly zone: Zone
}

export const presets: readonly string[] = ['5m', '15m', '1h', '6h', '24h', '7d']

export const lastHour: TimeRange = lastRange('1h')

/** From this long ago until now, such as `15m`. */
export function lastRange(duration: string): TimeRange {
  return { from: `now-${duration}`, to: 'now' }
}

/** An absolute range. Its texts mean the same in every zone. */
export function rangeOf({ startTime, endTime }: Times): TimeRange {
  return { from: new Date(startTime).toISOString(), to: new Date(endTime).toISOString() }
}

/**
 * The stretch of the same length right before (-1) or behind (1) the range, so that one can go through time
 * page by page. Undefined for a range that cannot be read, and behind one that reaches until now.
 */
export function shiftedRange(
  range: TimeRange,
  direction: -1 | 1,
  reading: Reading,
): TimeRange | undefined {
  const resolved = resolveRange(range, reading)
  if (!resolved.ok || (direction === 1 && resolved.endTime >= reading.now)) return undefined
  const step = direction * (resolved.endTime - resolved.startTime + 1)
  const startTime = inBounds(resolved.startTime + step)
  const endTime = inBounds(resolved.endTime + step)
  return startTime === undefined || endTime === undefined
    ? undefined
    : rangeOf({ startTime, endTime })
}

export function textOf({ from, to }: TimeRange): string {
  return `${from} – ${to}`
}

/** Whether the range moves on with time. */
export function isRelative({ from, to }: TimeRange): boolean {
  return movesOn(from) && movesOn(to)
}

function movesOn(text: string): boolean {
  return agoOf(text) !== undefined || daysBack.has(text)
}

/** From the beginning of the day until now. */
export const today: TimeRange = { from: 'today', to: 'now' }
export const yesterday: TimeRange = { from: 'yesterday', to: 'yesterday' }

/** Days that are called by a word, and how many days ago they are. */
const daysBack: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['yesterday', 1],
])

/**
 * A range in one line: `now-2h to now-1h`, `14:00–15:00` or with a hyphen, `today`, `2026-11-20`,
 * `2h`; one moment alone is a day, or reaches until now. Undefined for what is none.
 */
export function typedRange(text: string, reading: Reading): TimeRange | undefined {
  const typed = text.trim().replace(/^last\s+/i, '')
  const word = typed.toLowerCase()
  if (daysBack.has(word)) return rangeFrom(word)
  const isMoment = momentOf(typed, reading) !== undefined
  const parts = isMoment ? [typed] : typed.split(between)
  const [from = '', to, ...rest] = parts
  if (rest.length > 0) return undefined
  const range = to === undefined ? rangeFrom(from) : { from, to: onDayOf(from, to) }
  return resolveRange(range, reading).ok ? range : undefined
}

/** A hyphen without spaces is one between times of day: dates have hyphens themselves. */
const between = /\s+(?:to|until|[-–—])\s+|\s*[–—]\s*|(?<=:\d\d)-/i

function rangeFrom(from: string): TimeRange {
  if (from === 'today') return today
  const ago = /^\d[\d.a-zµ]*$/.test(from) && agoOf(from) !== undefined
  if (ago) return lastRange(from)
  return { from, to: dateForm.test(from) || daysBack.has(from) ? from : 'now' }
}

/** A time of day behind a date and a time is one of that date. */
function onDayOf(from: string, to: string): string {
  const [date = '', clock] = from.split(dateFromClock)
  const isOfDay = clock !== undefined && (dateForm.test(date) || daysBack.has(date))
  return isOfDay && clockForm.test(to) ? `${date} ${to}` : to
}

/** How the times of a range can be had: or which of its two moments cannot be read, and why. */
export type Resolved =
  | ({ readonly ok: true } & Times)
  | { readonly ok: false; readonly field: 'from' | 'to'; readonly reason: string }

const forms = 'such as now-2h, 14:30, yesterday or 2026-11-20 14:30'

export function resolveRange({ from, to }: TimeRange, reading: Reading): Resolved {
  const startTime = momentOf(from, reading, 'first')
  if (startTime === undefined) {
    return { ok: false, field: 'from', reason: `write a time ${forms}` }
  }
  const endTime = momentOf(to, reading, 'last')
  if (endTime === undefined) return { ok: false, field: 'to', reason: `write a time ${forms}` }
  if (startTime > endTime) {
    return { ok: false, field: 'from', reason: 'the beginning lies after the end' }
  }
  return { ok: true, startTime, endTime }
}

const timeMax = 8.64e15

/**
 * Reads a moment: `now`, `now-2h` or `2h` (which means the same), a date, a date and a time with `T` or a
 * space, a time of today, Unix time in seconds or ms. A time with `Z` or a distance has its own zone.
 * Of a date alone `side` tells which end of the day is meant.
 */
export function momentOf(
  text: string,
  { now, zone }: Reading,
  side: 'first' | 'last' = 'first',
): number | undefined {
  const trimmed = text.trim()
  const ago = agoOf(trimmed)
  if (ago !== undefined) return now - ago
  if (/^\d{9,16}$/.test(trimmed)) return inBounds(epochOf(trimmed))
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/i.test(trimmed)) {
    return inBounds(Date.parse(trimmed))
  }
  return dateOf(trimmed, { now, zone }, side)
}

const dateForm = /^(\d{4})-(\d\d?)-(\d\d?)$/
const dateFromClock = /(?<=\d)[Tt](?=\d)|\s+/
const clockForm = /^(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?$/

function dateOf(text: string, { now, zone }: Reading, side: 'first' | 'last'): number | undefined {
  const [first = '', second] = text.split(dateFromClock)
  const back = daysBack.get(first.toLowerCase())
  const date = dateForm.exec(back === undefined ? first : dayBefore(back, { now, zone }))
  const clock = second === undefined && !date ? first : second
  const time = clock === undefined ? undefined : clockForm.exec(clock)
  if (time === null || (!date && !time) || text.split(dateFromClock).length > 2) return undefined
  const today = partsOf(now, zone)
  const [year, month, day] = date?.slice(1).map(Number) ?? [today.year, today.month, today.day]
  const endOfDay = side === 'last' ? [23, 59, 59, 999] : [0, 0, 0, 0]
  const [hour, minute, seconds, ms] =
    time === undefined
      ? endOfDay
      : [time[1], time[2], time[3] ?? 0, (time[4] ?? '').padEnd(3, '0')].map(Number)
  return timeOf(
    {
      year: year!,
      month: month!,
      day: day!,
      hour: hour!,
      minute: minute!,
      second: seconds!,
      ms: ms!,
    },
    zone,
  )
}

/** The date so many days before today; 24 hours need not be one, noon is never far. */
function dayBefore(days: number, { now, zone }: Reading): string {
  const { hour } = partsOf(now, zone)
  const noon = now + (12 - hour) * hourMs - days * dayMs
  return dateTimeText(noon, zone).slice(0, 10)
}

/** How long ago a relative moment is, ms; undefined for an absolute one. */
function agoOf(text: string): number | undefined {
  if (text === 'now') return 0
  const duration = /^(?:now\s*-\s*)?(.+)$/.exec(text)?.[1]
  const ms = duration === undefined ? undefined : parseDuration(duration)
  return ms !== undefined && ms <= timeMax ? ms : undefined
}

function epochOf(digits: string): number {
  return digits.length <= 11 ? Number(digits) * 1_000 : Number(digits)
}

function inBounds(time: number): number | undefined {
  return Math.abs(time) <= timeMax ? time : undefined
}

/** The range in few words: `Last 1 h`, `20 Nov 14:00 – 15:00`. */
export function rangeText(range: TimeRange, reading: Reading): string {
  if (range.from === today.from && range.to === today.to) return 'Today'
  if (range.from === yesterday.from && range.to === yesterday.to) return 'Yesterday'
  const ago = agoOf(range.from)
  if (ago !== undefined && agoOf(range.to) === 0) return `Last ${durationWords(ago)}`
  const resolved = resolveRange(range, reading)
  if (!resolved.ok || isRelative(range)) return textOf(range)
  const [startTime, endTime] = tellingTimes(resolved)
  const start = shortText(startTime, reading)
  const end = shortText(endTime, reading)
  const isSameDay = dayText(startTime, reading.zone) === dayText(endTime, reading.zone)
  return `${start} – ${isSameDay ? end.slice(end.lastIndexOf(' ') + 1) : end}`
}

/**
 * The ends of a range as one says them. A range whose last ms is the last of a second goes up to the next
 * one, `14:00 – 14:05` and not `14:00 – 14:04:59.999`; of a minute and more, parts of a second are left out.
 */
function tellingTimes({ startTime, endTime }: Times): readonly [number, number] {
  const isLastOfSecond = (endTime + 1) % 1_000 === 0
  const end = isLastOfSecond && endTime < timeMax ? endTime + 1 : endTime
  if (end - startTime < 60_000) return [startTime, end]
  return [Math.floor(startTime / 1_000) * 1_000, Math.floor(end / 1_000) * 1_000]
}

/** `20 Nov 14:03:22`, with the year when it is another one. */
function shortText(time: number, { now, zone }: Reading): string {
  const { year } = partsOf(time, zone)
  const clock = dateTimeText(time, zone).slice(11)
  const date = dayText(time, zone) + (year === partsOf(now, zone).year ? '' : ` ${year}`)
  return `${date} ${clock}`
}

/** `1 h 30 m`, in days at most, and a day as 24 h: that is how one says it. */
export function durationWords(ms: number): string {
  const parts: string[] = []
  let rest = ms
  for (const [unit, unitMs] of units) {
    const isWhole = unit !== 'd' || ms > dayMs
    const count = isWhole ? Math.floor(rest / unitMs) : 0
    if (count > 0) parts.push(`${count} ${unit}`)
    rest -= count * unitMs
  }
  return parts.length === 0 ? `${ms} ms` : parts.join(' ')
}

const units = [
  ['d', dayMs],
  ['h', hourMs],
  ['m', 60_000],
  ['s', 1_000],
] as const
