/**
 * Reads the service's answer to a request of many events. Nothing is taken on trust: a proxy, or
 * another program on the port, may answer anything at all.
 */

import { membersOf, parseJson } from '../json.ts'

export interface EventError {
  /** Which event of the request, from 0. */
  readonly index: number
  readonly code: string
  readonly detail: string
  /** The line of the body where the mistake was found, from 1; known for mistakes in the JSON. */
  readonly bodyLine: number | undefined
}

/** What is known of an RFC 9457 document. */
export interface AnsweredProblem {
  readonly status: number
  readonly code: string | undefined
  readonly detail: string
  /** The line of the body that it is about, from 1, where one is. */
  readonly bodyLine: number | undefined
}

export type Answer =
  | {
      readonly kind: 'counted'
      readonly accepted: number
      readonly rejected: number
      readonly errors: readonly EventError[]
    }
  | {
      readonly kind: 'refused'
      readonly problem: AnsweredProblem
      readonly retryAfterMs: number | undefined
    }

/**
 * What the service says of a batch: counts, or why it was refused as a whole. Never throws: what is no answer
 * of ours is a refusal.
 */
export function readAnswer(status: number, headers: Headers, body: string): Answer {
  const document = membersOf(parseJson(body))
  const { accepted, rejected, errors } = document
  if (status === 200 && isCount(accepted) && isCount(rejected)) {
    const listed = Array.isArray(errors) ? errors.flatMap(readError) : []
    return { kind: 'counted', accepted, rejected, errors: listed }
  }
  const text = document.detail ?? document.title ?? (body.trim().slice(0, 200) || 'no reason given')
  const isStrange = status === 200
  return {
    kind: 'refused',
    problem: {
      status,
      code: typeof document.code === 'string' ? document.code : undefined,
      detail: isStrange ? `not an answer of this service: ${String(text)}` : String(text),
      bodyLine: readLine(document.position),
    },
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  }
}

/** `401 credential_invalid: the token is unknown` */
export function describeProblem({ status, code, detail }: AnsweredProblem): string {
  return `${status}${code === undefined ? '' : ` ${code}`}: ${detail}`
}

function readError(value: unknown): EventError[] {
  const { index, code, detail, position } = membersOf(value)
  if (!isCount(index)) {
    return []
  }
  const bodyLine = readLine(position)
  return [{ index, code: String(code ?? ''), detail: String(detail ?? ''), bodyLine }]
}

function readLine(position: unknown): number | undefined {
  const { line } = membersOf(position)
  return isCount(line) ? line : undefined
}

/** RFC 9110, 10.2.3: seconds, or a date. A date is not worth the trouble: we wait as without one. */
function readRetryAfter(value: string | null): number | undefined {
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
