import type { Test } from 'tap'
import { keyOf } from './stand-ins.ts'

/** One call by an admin: its status and its body, parsed unless it is empty. */
export async function call(url: string, operation: string, body?: unknown) {
  const [method, path] = operation.split(' ') as [string, string]
  const response = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${keyOf.admin}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return [response.status, text === '' ? undefined : JSON.parse(text)] as const
}

/** Posts JSON, or a body as it is, under an API key or a token; what `more` has stands instead of the usual. */
export function post(address: string, secret: string, body: unknown, more: RequestInit = {}) {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  return fetch(address, {
    ...{ method: 'POST', body: isRaw ? (body as string) : JSON.stringify(body), ...more },
    headers: {
      ...{ Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      ...(more.headers as Record<string, string> | undefined),
    },
  })
}

/** What is not there is 404 by its own code. */
export async function isMissing(t: Test, url: string, operation: string, code: string) {
  const [status, problem] = await call(url, operation)
  t.equal(status, 404, operation)
  t.match(problem, { code })
}
