/**
 * Dashboards that are in this page only, because they were never saved. Their address says so: after a reload
 * such a dashboard is a new one again, and no link that is mistyped.
 */

import { flagParam } from '../state/param-kinds.ts'
import { urlParam } from '../state/url-param.ts'

/** Whether the address is of a dashboard that was not saved when it was opened. */
export const isNewAddress = urlParam('new', flagParam)

/** By id: made here, and not saved yet. The service need not be asked for them. */
const made = new Set<string>()

/** An id that nobody else has. */
export function makeUnsaved(): string {
  // `crypto.randomUUID` is there only where the page came over TLS, or from this machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const id = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  made.add(id)
  return id
}

export function isUnsaved(id: string): boolean {
  return made.has(id)
}

/** From now on the service has it. */
export function markStored(id: string): void {
  made.delete(id)
  isNewAddress.set(false, 'replace')
}
