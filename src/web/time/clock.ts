/** Times as texts, and back, in local time or UTC. Times are ms since 1970. */

export type Zone = 'local' | 'utc'

interface Parts {
  readonly year: number
  /** 1…12 */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly ms: number
}

export function partsOf(time: number, zone: Zone): Parts {
  const date = new Date(time)
  return zone === 'utc'
    ? {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
        hour: date.getUTCHours(),
        minute: date.getUTCMinutes(),
        second: date.getUTCSeconds(),
        ms: date.getUTCMilliseconds(),
      }
    : {
        year: date.getFullYear(),
        month: date.getMonth() + 1,
        day: date.getDate(),
        hour: date.getHours(),
        minute: date.getMinutes(),
        second: date.getSeconds(),
        ms: date.getMilliseconds(),
      }
}

/** The time of these parts; undefined when there is none (30 February, 25 o'clock). */
export function timeOf(parts: Parts, zone: Zone): number | undefined {
  const { year, month, day, hour, minute, second, ms } = parts
  const time =
    zone === 'utc'
      ? Date.UTC(year, month - 1, day, hour, minute, second, ms)
      : new Date(year, month - 1, day, hour, minute, second, ms).getTime()
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const back = partsOf(time, zone)
  // An hour that the change to summer time leaves out becomes another one; the day stays.
  return back.day === day && back.month === month ? time : undefined
}

const two = (value: number) => String(value).padStart(2, '0')
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `14:03:22.118`, or `14:03:22` where whole seconds are wanted. */
export function clockText(time: number, zone: Zone, precision: Precision = 'ms'): string {
  const { hour, minute, second, ms } = partsOf(time, zone)
  const clock = `${two(hour)}:${two(minute)}:${two(second)}`
  return precision === 's' ? clock : `${clock}.${String(ms).padStart(3, '0')}`
}

/** To what times of a list are told, so that they stand below each other. */
export type Precision = 's' | 'ms'

/** Seconds where all of the times are whole ones. */
export function precisionOf(times: readonly number[]): Precision {
  return times.every(time => time % 1_000 === 0) ? 's' : 'ms'
}

/** `20 Nov` */
export function dayText(time: number, zone: Zone): string {
  const { day, month } = partsOf(time, zone)
  return `${day} ${months[month - 1]}`
}

/** `2026-11-20 14:03:22.118`, as it can be typed again; parts that are zero at the end are left out. */
export function dateTimeText(time: number, zone: Zone): string {
  const { year, month, day, hour, minute, second, ms } = partsOf(time, zone)
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  const seconds = second === 0 && ms === 0 ? '' : `:${two(second)}`
  const fraction = ms === 0 ? '' : `.${String(ms).padStart(3, '0')}`
  return `${date} ${two(hour)}:${two(minute)}${seconds}${fraction}`
}

/** With the zone's name or distance: `2026-11-20 14:03:22.118 UTC`. */
export function fullText(time: number, zone: Zone): string {
  return `${dateTimeText(time, zone)} ${zone === 'utc' ? 'UTC' : distanceText(time)}`
}

/** `+01:00` */
function distanceText(time: number): string {
  const minutes = -new Date(time).getTimezoneOffset()
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '−' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
