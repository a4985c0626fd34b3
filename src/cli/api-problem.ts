/**
 * What the service answers when it refuses: RFC 9457, or the form of Prometheus' API. Nothing is taken
 * on trust: a proxy may answer anything at all.
 */
import { CommandError } from './command-error.ts'
import { membersOf, parseJson } from './json.ts'
import { printable } from './printable.ts'

export class ProblemAnswer extends CommandError {
  readonly status: number
  readonly code: string | undefined
  /** What is wrong, in the service's words. */
  readonly detail: string
  /** Where in the query, in UTF-16 code units from 0; undefined when it is not about a place. */
  readonly offset: number | undefined
  /** What was expected there. */
  readonly expected: readonly string[]

  constructor(
    problem: Pick<ProblemAnswer, 'status' | 'code' | 'detail' | 'offset' | 'expected'>,
    message: string,
  ) {
    super(message)
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.detail
    this.offset = problem.offset
    this.expected = problem.expected
  }
}

/**
 * What an answer other than 2xx says: of ours by its problem document, of Prometheus' API, or, from something
 * in between such as a proxy, the first 200 characters of its body. Its text ends with what to do.
 */
export function readProblem(status: number, body: string, url: string): ProblemAnswer {
  const { code, errorType, error, detail, title, position, expected } = membersOf(parseJson(body))
  const isOurs = typeof code === 'string' || typeof errorType === 'string'
  const said = detail ?? error ?? title ?? (body.trim().slice(0, 200) || 'no reason given')
  const problem = {
    status,
    code: typeof code === 'string' ? code : undefined,
    detail: printable(String(said)),
    offset: readOffset(position),
    expected: Array.isArray(expected) ? expected.map(word => printable(String(word))) : [],
  }
  const name = printable(String(code ?? errorType ?? ''))
  const described = `${status}${name === '' ? '' : ` ${name}`}: ${problem.detail}`
  return new ProblemAnswer(
    problem,
    `${lead(status, isOurs)}: ${described}${remedy(status, url, isOurs)}`,
  )
}

function lead(status: number, isOurs: boolean): string {
  if (status === 401) return 'the service does not take this key'
  if (status === 403) return 'this key may not do that'
  if (status >= 500 && isOurs) return 'the service failed'
  return 'the service refused'
}

function remedy(status: number, url: string, isOurs: boolean): string {
  if (!isOurs) return `. Is ${url} the right address?`
  if (status === 401) return '. Give an API key with --key or LOGSTRATA_KEY'
  if (status === 403) return '. It needs an API key of a higher role'
  return ''
}

function readOffset(position: unknown): number | undefined {
  const { offset } = membersOf(position)
  return typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0
    ? offset
    : undefined
}
