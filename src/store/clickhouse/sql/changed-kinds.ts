/**
 * Kinds of lines that stages have made others: no column has them, and what they are is said by rules that
 * are not SQL's. Of each line a text of its kind is made there, in which words with a digit are `0`, as they
 * are in a skeleton (`columns/patterns/skeleton.ts`): there are few of these, and each is read here.
 */
import { patternOfMessage } from '../../../columns/patterns/message-pattern.ts'
import { limits } from '../../../limits.ts'
import type { CollectorRequest } from '../../../query/collect/collector.ts'
import { patternLabel } from '../../../record.ts'
import { tellingBytes } from '../pattern-numbers.ts'
import type { CollectedQuestion } from './collected.ts'
import type { Definitions } from './stages/definitions.ts'
import { choose, whereKnown } from './stages/unknown.ts'

/** With all that is in it: more would be no more of the same kind. */
const wordWithDigit = '[A-Za-z]*[0-9][A-Za-z0-9]*'

/** A text that is of the same kind as a line; NULL where that is not known, or the text is long. */
export function likeLine(line: string, defined: Definitions): string {
  const form = defined.bound.text(wordWithDigit)
  const like = defined.define(`replaceRegexpAll(${line}, ${form}, '0')`)
  return defined.define(whereKnown([line], `if(length(${like}) <= ${tellingBytes}, ${like}, NULL)`))
}

/** Before a text in the place of a label `pattern`: it is that label, or as the line, whose kind it means. */
const [ownSign, likeSign] = ['=', '~']

/** The text of such a label, of which `readKinds` makes what it means. Both may be NULL. */
export function ownOrLike(own: string, like: string): string {
  return choose(`${own} != ''`, `concat('${ownSign}', ${own})`, `concat('${likeSign}', ${like})`)
}

/** Whether their answers are read by `readKinds`, or by whoever asks for them. */
export function tellsChangedKinds(request: CollectorRequest): boolean {
  switch (request.kind) {
    case 'patterns':
    case 'groups':
      return true
    case 'series':
      return request.unwrap === undefined
    default:
      return false
  }
}

interface Row {
  readonly values: readonly string[]
  readonly pieces?: readonly number[]
}

/** A question that counts groups or series, whose label `pattern` is such a text. */
export function readKinds(
  question: CollectedQuestion,
  request: CollectorRequest,
): CollectedQuestion {
  if (request.kind !== 'groups' && request.kind !== 'series') return question
  const at = request.by.indexOf(patternLabel)
  const groupsMax = request.kind === 'groups' ? limits.queryGroupsMax : limits.querySeriesMax
  return {
    ...question,
    plainOf(answer) {
      const rows = answer as readonly Row[]
      if (at === -1) return question.plainOf(rows)
      // What was left out there may be of kinds that are here.
      if (rows.length > groupsMax || isCut(rows)) return undefined
      return question.plainOf(rows.map(row => ({ ...row, values: meant(row.values, at) })))
    },
  }
}

function isCut(rows: readonly Row[]): boolean {
  let [length, points] = [0, 0]
  for (const { values, pieces = [] } of rows) {
    for (const text of values) length += text.length
    points += pieces.length
  }
  return length > limits.groupsLengthMax || points > limits.queryPointsMax
}

function meant(values: readonly string[], at: number): string[] {
  const text = values[at]!.slice(1)
  return values.with(at, values[at]!.startsWith(ownSign) ? text : patternOfMessage(text).id)
}
