/**
 * Plain text, each line of which is an event, as Splunk's `/services/collector/raw` takes it. A line is the
 * message, with the time of receipt; what the request says of all of them stays attributes. Empty lines
 * are none.
 */

import { isUtf8 } from 'node:buffer'
import { ProblemError } from '../../problems.ts'
import { byte } from '../bytes.ts'
import { recordOfEnvelope } from '../envelope.ts'
import { noTime } from '../event-time.ts'
import { emptyProblem } from '../json.ts'
import { type Outcome, unreadableProblem } from '../read-event-batch.ts'
import { lineEnd } from '../resume.ts'
import type { Format, FormatContext } from './format.ts'

export const lines: Format = { encodedPerByte: 2, read: readLines }

function* readLines(body: Buffer, context: FormatContext): Generator<Outcome, void> {
  let index = 0
  let problemCount = 0
  let firstProblem: ProblemError | undefined
  for (let start = 0; start < body.length; ) {
    const next = lineEnd(body, start)
    const end = body[next - 1] === byte.return ? next - 1 : next
    if (end > start) {
      const problem = problemOf(body.subarray(start, end), context)
      if (problem === undefined) {
        yield { index, record: recordOf(body.toString('utf8', start, end), context) }
      } else {
        firstProblem ??= problem
        problemCount++
        yield { index, problem }
      }
      index++
    }
    start = next + 1
  }
  if (index === 0) throw emptyProblem()
  if (firstProblem !== undefined && problemCount === index) {
    throw unreadableProblem(problemCount, firstProblem)
  }
}

function problemOf(line: Buffer, { eventBytesMax }: FormatContext): ProblemError | undefined {
  if (line.length > eventBytesMax) {
    const detail = `expected a line of at most ${eventBytesMax} bytes, was ${line.length}`
    return new ProblemError('body_too_large', detail)
  }
  return isUtf8(line)
    ? undefined
    : new ProblemError('utf8_invalid', 'expected UTF-8, a line is not')
}

function recordOf(text: string, context: FormatContext) {
  const { given = {}, receivedAt } = context
  return recordOfEnvelope({ event: text, around: given, time: noTime(receivedAt) }, context)
}
