/** The time range in the address, as `from` and `to`. */

import { computed } from '@preact/signals'
import { params } from '../state/location.ts'
import { lastHour, type TimeRange } from './range.ts'

/** The last hour when the address says nothing. */
export const timeRange = computed<TimeRange>(() => ({
  from: params.value.get('from') ?? lastHour.from,
  to: params.value.get('to') ?? lastHour.to,
}))

/** For `setParams`, together with other changes in one step of Back. */
export function rangeChange({ from, to }: TimeRange): Record<string, string | undefined> {
  const isDefault = from === lastHour.from && to === lastHour.to
  return isDefault ? { from: undefined, to: undefined } : { from, to }
}
