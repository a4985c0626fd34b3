/** What the service's rules on API keys mean for a list of them. */

import { dayMs } from '../../time-units.ts'
import type { ApiKey } from '../api/settings.ts'

export function isExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: number): boolean {
  return expiresAt !== null && expiresAt <= now
}

/** Whether deleting the key would leave nobody who may manage keys: the service refuses it (409). */
export function isLastAdmin(key: ApiKey, keys: readonly ApiKey[], now: number): boolean {
  const admins = keys.filter(one => one.role === 'admin' && !isExpired(one, now))
  return admins.length === 1 && admins[0]!.id === key.id
}

/** How long a new key lives, in days; undefined for good. */
export const lifetimes = {
  never: undefined,
  day: 1,
  week: 7,
  month: 30,
  quarter: 90,
  year: 365,
} as const

export type Lifetime = keyof typeof lifetimes

/** When a key of this lifetime ends that is made now; undefined: never. */
export function endOf(lifetime: Lifetime, now: number): number | undefined {
  const days = lifetimes[lifetime]
  return days === undefined ? undefined : now + days * dayMs
}
