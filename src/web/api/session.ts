/** Signing in and out. */

import type { Role } from '../../catalog/roles.ts'
import type { SessionInfo } from '../../http/resources/session.ts'
import { call } from './client.ts'

export type { Role, SessionInfo }

/** Throws an ApiProblem of 401 when there is none. */
export function getSession(): Promise<SessionInfo> {
  return call('GET', '/api/v1/session')
}

export function createSession(key: string): Promise<SessionInfo> {
  return call('POST', '/api/v1/session', { body: { key } })
}

export function deleteSession(): Promise<void> {
  return call('DELETE', '/api/v1/session')
}
