/**
 * One call to the API, with the session's cookie. Failures are thrown as `ApiProblem` or `Unreachable`,
 * an abort as the browser's `AbortError`. Whoever has no session any more is told to whoever listens.
 */

import { ApiProblem, Unreachable } from './problem.ts'

export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  readonly accept?: string
  /** The version that a change is for (RFC 9110, 13.1.1); any when left out. */
  readonly ifMatch?: string | undefined
  readonly signal?: AbortSignal | undefined
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

let onSignedOut = () => {}

/** Calls `listener` whenever the service answers that there is no session (any more). */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener
}

/** Calls the API and returns the JSON of its answer; undefined when there is none (204). */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const response = await callForResponse(method, path, options)
  const text = await bodyOf(response.text())
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** What reads all that the answer of `path` lists under `member`. */
export function lister<T>(path: string, member: string) {
  return async (signal?: AbortSignal): Promise<readonly T[]> =>
    (await call<Readonly<Record<string, T[]>>>('GET', path, { signal }))[member]!
}

/** What reads all of the answer of `path`. */
export function reader<T>(path: string) {
  return (signal?: AbortSignal): Promise<T> => call('GET', path, { signal })
}

/** What sends a thing to `path`, and gets it as it is stored. */
export function saver<Sent, Stored>(path: string) {
  return (thing: Sent): Promise<Stored> => call('POST', path, { body: thing })
}

/** What deletes the thing of an id below `path`. */
export function deleter(path: string) {
  return (id: string): Promise<void> => call('DELETE', `${path}/${encodeURIComponent(id)}`)
}

/** As `call`, for answers that are read as they come. */
export async function callForResponse(
  method: Method,
  path: string,
  { body, accept, ifMatch, signal }: CallOptions = {},
): Promise<Response> {
  const response = await bodyOf(
    fetch(path, {
      method,
      // The service takes a session for a change only with this type: no form can send it.
      headers: {
        'Content-Type': 'application/json',
        ...(accept ? { Accept: accept } : {}),
        ...(ifMatch ? { 'If-Match': ifMatch } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      cache: 'no-store',
      credentials: 'same-origin',
    }),
  )
  if (response.ok) return response
  const problem = await readProblem(response)
  if (problem.status === 401) onSignedOut()
  throw problem
}

async function bodyOf<T>(arriving: Promise<T>): Promise<T> {
  try {
    return await arriving
  } catch (error) {
    // fetch has a TypeError for all that is not an abort.
    throw error instanceof TypeError ? new Unreachable(error) : error
  }
}

async function readProblem(response: Response): Promise<ApiProblem> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const seconds = Number.isFinite(retryAfter) ? retryAfter : undefined
  let document: unknown
  try {
    document = await response.json()
  } catch {
    document = undefined // Not ours: a proxy in between answered.
  }
  const isObject = typeof document === 'object' && document !== null
  const members: Record<string, unknown> = isObject ? { ...(document as object) } : {}
  return new ApiProblem(response.status, fromPrometheus(members) ?? members, seconds)
}

/** Prometheus' operations have their own form of errors, with the place in front: `1:14: expected …`. */
function fromPrometheus({ error }: Record<string, unknown>): Record<string, unknown> | undefined {
  if (typeof error !== 'string') return undefined
  const [, line, column, detail] = /^(\d+):(\d+): (.*)$/s.exec(error) ?? []
  // Only of the first line is the offset known without the query.
  const position =
    line === '1' ? { line: 1, column: Number(column), offset: Number(column) - 1 } : undefined
  return { title: 'The query failed', detail: detail ?? error, position }
}
