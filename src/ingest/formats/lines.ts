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
import { lineEnd } from '../resume.ts'
import { type OneEvent, outcomesOf } from './each-event.ts'
import type { Format, FormatContext } from './format.ts'

export const lines: Format = {
  encodedPerByte: 2,
  read: (body, context) => outcomesOf(linesOf(body, context)),
}

function* linesOf(body: Buffer, context: FormatContext): Generator<OneEvent, void> {
  let isEmpty = true
  for (let start = 0; start < body.length; ) {
    const next = lineEnd(body, start)
    const end = body[next - 1] === byte.return ? next - 1 : next
    const line = body.subarray(start, end)
    if (end > start) {
      isEmpty = false
      yield () => recordOf(textOf(line, context), context)
    }
    start = next + 1
  }
  if (isEmpty) throw emptyProblem()
}

function textOf(line: Buffer, { eventBytesMax }: FormatContext): string {
  if (line.length > eventBytesMax) {
    const detail = `expected a line of at most ${eventBytesMax} bytes, was ${line.length}`
    throw new ProblemError('body_too_large', detail)
  }
  if (!isUtf8(line)) throw new ProblemError('utf8_invalid', 'expected UTF-8, a line is not')
  return line.toString()
}

function recordOf(text: string, context: FormatContext) {
  const { given = {}, receivedAt } = context
  return recordOfEnvelope({ event: text, around: given, time: noTime(receivedAt) }, context)
}
