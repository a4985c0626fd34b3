/**
 * How busy the shop is at a moment. A function of the time alone, so that a restart finds the same
 * day: quiet nights, a peak in the evening (UTC), a swell of minutes, and bursts when a campaign goes out.
 */

import type { TimeRange } from '../record.ts'
import { dayMs, minuteMs } from '../time-units.ts'
import { makeChance } from './chance.ts'

/** At most one burst begins in each. */
const burstSlotMs = 15 * minuteMs

export type Burst = TimeRange

/** How many times the average rate applies at `time` (Unix ms): 0.4 to about 4. */
export function busyness(time: number): number {
  const wave = (periodMs: number, peakAtMs: number) =>
    Math.cos((2 * Math.PI * (time - peakAtMs)) / periodMs)
  const day = 1 + 0.4 * wave(dayMs, 19 * 60 * minuteMs)
  const swell = 1 + 0.15 * wave(7 * minuteMs, 0) + 0.08 * wave(95_000, 0)
  const burst = burstOf(time)
  const isBurst = burst !== undefined && burst.startTime <= time && time < burst.endTime
  return day * swell * (isBurst ? 2.4 : 1)
}

/** The burst of the quarter of an hour that `time` lies in; most have none. */
export function burstOf(time: number): Burst | undefined {
  const slot = Math.floor(time / burstSlotMs)
  const chance = makeChance(slot * 7_919)
  if (!chance.happens(0.3)) return undefined
  const startTime = slot * burstSlotMs + chance.between(1, 12) * minuteMs
  return { startTime, endTime: startTime + chance.between(40, 100) * 1_000 }
}
