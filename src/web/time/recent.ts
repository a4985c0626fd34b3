/** The ranges that were typed or picked last: kept by this browser, the newest first. */

import { computed } from '@preact/signals'
import { kept } from '../state/kept.ts'
import { listParam } from '../state/param-kinds.ts'
import type { TimeRange } from './range.ts'

const recentMax = 4
const separator = ' to '
const texts = kept('time.recent', listParam)

export const recentRanges = computed<readonly TimeRange[]>(() =>
  texts.value.slice(0, recentMax).map(text => {
    const [from = '', to = ''] = text.split(separator)
    return { from, to }
  }),
)

export function addRecent({ from, to }: TimeRange): void {
  const text = `${from}${separator}${to}`
  texts.set([text, ...texts.peek().filter(one => one !== text)].slice(0, recentMax))
}
