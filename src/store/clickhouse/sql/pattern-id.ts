/**
 * Of which kind a message is, where its row tells it: the column has the number of the id of its pattern,
 * and 0 where that is not told.
 */
import type { Matcher, Selector } from '../../../language/ast.ts'
import type { CollectorRequest } from '../../../query/collect/collector.ts'
import { asksForPattern } from '../../../query/pattern-condition.ts'
import { patternIdPrefix, patternLabel } from '../../../record.ts'
import type { Bound } from './bound.ts'
import { matchesExpression } from './expression.ts'
import { any, exactly, never, not, type Truth } from './truth.ts'

export const isTold = 'PatternNumber != 0'
export const isNotTold = 'PatternNumber = 0'

/** The id's text of a row that tells it. */
export const patternText = 'Pattern'

const idForm = new RegExp(`^${patternIdPrefix}([0-9a-f]{16})$`)

/** The number of an id; undefined where no pattern has it. */
export function numberOfId(id: string): bigint | undefined {
  const [, digits] = idForm.exec(id) ?? []
  return digits === undefined ? undefined : BigInt(`0x${digits}`)
}

/** Of rows that tell it: their message is of a pattern that the matcher, which asks for one, wants. */
export function toldPatternHolds(matcher: Matcher, bound: Bound): Truth {
  if ('unit' in matcher) throw new TypeError('a kind is no quantity')
  if ('values' in matcher) {
    const isOne = any([never, ...matcher.values.map(id => isOfPattern(id, bound))])
    return matcher.operator === 'in' ? isOne : not(isOne)
  }
  const { operator, value } = matcher
  switch (operator) {
    case '=':
      return isOfPattern(value, bound)
    case '!=':
      return not(isOfPattern(value, bound))
    case '=~':
      return matchesExpression(patternText, value, 'anchored', bound)
    case '!~':
      return not(matchesExpression(patternText, value, 'anchored', bound))
  }
}

function isOfPattern(id: string, bound: Bound): Truth {
  const number = numberOfId(id)
  return number === undefined ? never : exactly(`PatternNumber = ${bound.whole(number)}`)
}

/** Whether a collector asks of which kind messages are. */
export function collectsPatterns(request: CollectorRequest): boolean {
  switch (request.kind) {
    case 'patterns':
      return true
    case 'groups':
      return request.by.includes(patternLabel)
    case 'series':
      return [...request.by, request.unwrap].includes(patternLabel)
    case 'facets':
      return request.fields.includes(patternLabel)
    default:
      return false
  }
}

/** Whether a selector does. */
export function selectsPatterns({ alternatives = [], ...own }: Selector): boolean {
  return [own, ...alternatives].some(({ matchers }) => matchers.some(asksForPattern))
}
