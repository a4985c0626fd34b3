/** The texts at the marks of an axis of time: as short as the marks allow. */

import { dayMs, minuteMs, secondMs } from '../../time-units.ts'
import { clockText, dayText, fullText, type Zone } from '../time/clock.ts'

/** `times`: the marks in order, `stepMs` apart. The first mark of a day says which day it is. */
export function timeMarks(times: readonly number[], stepMs: number, zone: Zone): readonly string[] {
  const length = stepMs >= minuteMs ? 5 : lengthOfSeconds(times)
  let lastDay: string | undefined
  return times.map(time => {
    const day = dayText(time, zone)
    if (stepMs >= dayMs) return day
    const clock = clockText(time, zone).slice(0, length)
    const isNewDay = lastDay !== undefined && day !== lastDay
    lastDay = day
    return isNewDay ? `${clock}\n${day}` : clock
  })
}

/** Characters of a clock's text, with as many parts of a second as there are in `times`. */
function lengthOfSeconds(times: readonly number[]): number {
  const are = (unitMs: number) => times.every(time => time % unitMs === 0)
  return are(1_000) ? '00:00:00'.length : are(100) ? '00:00:00.0'.length : '00:00:00.000'.length
}

/** One of `times`, in full: points that are whole seconds apart need no parts of them. */
export function momentText(time: number, times: readonly number[], zone: Zone): string {
  const stepMs = times.length < 2 ? 0 : times[1]! - times[0]!
  return fullText(stepMs < secondMs ? time : Math.floor(time / secondMs) * secondMs, zone)
}
