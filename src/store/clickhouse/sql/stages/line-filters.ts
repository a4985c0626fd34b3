/** Filters of lines that stages may have made. */
import type { LineFilter } from '../../../../language/ast.ts'
import { textsOfShape } from '../../../../match/line-shape.ts'
import { filterHolds } from '../condition.ts'
import { hasAddress } from './addresses.ts'
import type { Definitions } from './definitions.ts'
import { known } from './filters.ts'
import { allOf, anyOf, whereKnown } from './unknown.ts'

/** Whether a line passes; NULL where that is unknown. */
export function passesLine(filter: LineFilter, line: string, defined: Definitions): string {
  const { operator, text, others = [], isAddress } = filter
  if (isAddress) return negatedBy(operator, hasAddress(line, text, defined))
  if (operator !== '|>' && operator !== '!>') {
    return known(filterHolds(filter, defined.bound, line))
  }
  const shapes = [text, ...others].map(shape => hasShape(textsOfShape(shape), line, defined))
  return negatedBy(operator, whereKnown([line], anyOf(shapes)))
}

function negatedBy(operator: LineFilter['operator'], holds: string): string {
  return operator.startsWith('!') ? `NOT ${holds}` : holds
}

/** As `match/line-shape.ts` has it: each text at its first place behind the one before. */
function hasShape(texts: readonly string[], line: string, defined: Definitions): string {
  if (texts.length === 1 && texts[0] === '') return `ifNull(${line}, '') = ''`
  let end = '0'
  const conditions = [`${line} != ''`]
  for (const [i, text] of texts.entries()) {
    if (text === '') continue
    const needle = defined.bound.text(text)
    const at = defined.define(`position(ifNull(${line}, ''), ${needle}, toUInt64(${end} + 1))`)
    conditions.push(i === 0 ? `${at} > 0` : `${at} > ${end} + 1`)
    end = defined.define(`${at} + ${Buffer.byteLength(text) - 1}`)
  }
  const isBeforeEnd = `${end} < length(ifNull(${line}, ''))`
  conditions.push(texts.at(-1) === '' ? isBeforeEnd : `NOT ${isBeforeEnd}`)
  return allOf(conditions)
}
