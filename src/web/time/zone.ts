/** Local time or UTC: a preference of this browser, used wherever a time is shown or typed. */

import { kept } from '../state/kept.ts'
import { choiceParam } from '../state/param-kinds.ts'

export const zone = kept('zone', choiceParam(['local', 'utc']))

export function toggleZone(): void {
  zone.set(zone.peek() === 'utc' ? 'local' : 'utc')
}
