/** The texts at the marks of an axis of time: as short as the distance of the marks allows. */

import { clockText, dayText, type Zone } from '../time/clock.ts'

const secondMs = 1_000
const minuteMs = 60_000
const dayMs = 86_400_000

/** `times`: the marks in order, `stepMs` apart. The first mark of a day says which day it is. */
export function timeMarks(times: readonly number[], stepMs: number, zone: Zone): readonly string[] {
  let lastDay: string | undefined
  return times.map(time => {
    const day = dayText(time, zone)
    if (stepMs >= dayMs) return day
    const clock = clockText(time, zone)
    const length = stepMs >= minuteMs ? 5 : stepMs >= secondMs ? 8 : 12
    const isNewDay = lastDay !== undefined && day !== lastDay
    lastDay = day
    return isNewDay ? `${clock.slice(0, length)}\n${day}` : clock.slice(0, length)
  })
}
