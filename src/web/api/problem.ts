/** Why a call to the API failed, in words that can be shown: always one of these two. */

/** The service's answer to a failed request (RFC 9457), member by member. */
export class ApiProblem extends Error {
  readonly status: number
  /** Stable; see `src/problems.ts`. */
  readonly code: string
  readonly title: string
  /** The field or parameter at fault. */
  readonly field: string | undefined
  /** A place in the query: `offset` in UTF-16 code units. */
  readonly position:
    | { readonly line: number; readonly column: number; readonly offset: number }
    | undefined
  /** What could have stood at that place. */
  readonly expected: readonly string[]
  /** What stood there. */
  readonly found: string | undefined
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, document: Readonly<Record<string, unknown>>, retryAfter?: number) {
    const text = (name: string) =>
      typeof document[name] === 'string' ? (document[name] as string) : undefined
    super(text('detail') ?? text('title') ?? `the service answered ${status}`)
    this.name = 'ApiProblem'
    this.status = status
    this.code = text('code') ?? 'unknown'
    this.title = text('title') ?? 'The request failed'
    this.field = text('field')
    this.position = document.position as ApiProblem['position']
    this.expected = Array.isArray(document.expected) ? document.expected.map(String) : []
    this.found = text('found')
    this.retryAfterSeconds = retryAfter
  }
}

/** No answer came: the service is down, or the way to it. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('no answer came; it may be restarting, or the network is down', { cause })
    this.name = 'Unreachable'
  }
}

/** Whether a call ended because it was told to. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
