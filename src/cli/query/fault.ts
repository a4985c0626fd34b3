/** A mistake in a query, shown under the query: the line, a caret below the place, what was expected. */
import { ProblemError } from '../../problems.ts'
import { ProblemAnswer } from '../api-problem.ts'
import { CommandError } from '../command-error.ts'
import { printable } from '../printable.ts'
import { queryFault } from './kind.ts'

interface Fault {
  readonly detail: string
  /** In UTF-16 code units from 0. */
  readonly offset: number
  readonly expected: readonly string[]
}

/** What to throw instead of `error` when it is about a place in the query; otherwise `error` itself. */
export function explainFault(error: unknown, query: string): unknown {
  const fault = readFault(error, query)
  if (fault === undefined) return error
  return new CommandError(describeFault(fault, query), { cause: error, exitCode: 2 })
}

function readFault(error: unknown, query: string): Fault | undefined {
  if (error instanceof ProblemError) {
    const { position, members } = error.extras
    const expected = Array.isArray(members?.expected) ? members.expected.map(String) : []
    return position && { detail: error.message, offset: position.offset, expected }
  }
  if (error instanceof ProblemAnswer && error.offset !== undefined) {
    return { detail: error.detail, offset: error.offset, expected: error.expected }
  }
  if (error instanceof ProblemAnswer && (error.status === 400 || error.status === 422)) {
    // Prometheus' form has no place for a place. What is wrong with the query is known here, too.
    const problem = queryFault(query)
    return problem && readFault(problem, query)
  }
  return undefined
}

function describeFault({ detail, offset, expected }: Fault, query: string): string {
  const start =
    Math.max(query.lastIndexOf('\n', offset - 1), query.lastIndexOf('\r', offset - 1)) + 1
  const line = query.slice(start).split(/[\r\n]/)[0]!
  // What is shown as an escape is wider than the character; the caret stands below the place shown.
  const before = printable(query.slice(start, offset))
  const caret = `${' '.repeat([...before].length)}^`
  const isListed = expected.length > 0 && !detail.includes('expected')
  const lines = [`the query cannot be used: ${detail}`, '', `  ${printable(line)}`, `  ${caret}`]
  return [...lines, ...(isListed ? [`expected: ${expected.join(', ')}`] : [])].join('\n')
}
