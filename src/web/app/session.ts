/** Who is signed in, as a signal; and the ways in and out. */

import { computed, signal } from '@preact/signals'
import { whenSignedOut } from '../api/client.ts'
import {
  createSession,
  deleteSession,
  getSession,
  type Role,
  type SessionInfo,
} from '../api/session.ts'
import { go, here, params, place } from '../state/location.ts'

const current = signal<SessionInfo | 'unknown' | 'none'>('unknown')
const failure = signal<unknown>(undefined)

/** Undefined while nobody is signed in, or that is not known yet. */
export const session = computed(() =>
  typeof current.value === 'string' ? undefined : current.value,
)
export const isSessionKnown = computed(() => current.value !== 'unknown')
/** Why it cannot be known who is signed in: the service is not there. */
export const sessionFailure = computed(() => failure.value)

const order: readonly Role[] = ['viewer', 'editor', 'admin']

/** Whether who is signed in has this role or a higher one. For what is shown; the API decides. */
export function may(role: Role): boolean {
  const own = session.value?.role
  return own !== undefined && order.indexOf(own) >= order.indexOf(role)
}

/** Asks who is signed in. Leads to the sign-in page when nobody is. Call once, or to try again. */
export async function loadSession(): Promise<void> {
  failure.value = undefined
  try {
    current.value = await getSession()
  } catch (error) {
    if (current.peek() === 'unknown') failure.value = error
  }
}

/** @throws ApiProblem `credential_invalid` for what is no API key. */
export async function signIn(key: string): Promise<void> {
  current.value = await createSession(key)
  go(ownAddress(params.peek().get('return')), 'replace')
}

export async function signOut(): Promise<void> {
  await deleteSession()
  leave()
}

whenSignedOut(leave)

function leave(): void {
  failure.value = undefined
  current.value = 'none'
  if (place.peek()?.page !== 'signIn') {
    go(`/sign-in?${new URLSearchParams({ return: here() })}`, 'replace')
  }
}

/** Where to go after signing in: never to somebody else's page, whatever a link says. */
function ownAddress(asked: string | null): string {
  const to = new URL(asked ?? '/', window.location.href)
  const isOwn = to.origin === window.location.origin && to.pathname !== '/sign-in'
  return isOwn ? to.pathname + to.search : '/'
}
