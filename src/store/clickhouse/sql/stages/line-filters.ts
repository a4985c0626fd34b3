/** Filters of lines that stages may have made. */
import type { LineFilter } from '../../../../language/ast.ts'
import { textsOfShape } from '../../../../match/line-shape.ts'
import { hasAddress } from '../addresses.ts'
import { filterHolds } from '../condition.ts'
import { hasShape } from '../line-shape.ts'
import type { Definitions } from './definitions.ts'
import { known } from './filters.ts'
import { anyOf, whereKnown } from './unknown.ts'

/** Whether a line passes; NULL where that is unknown. */
export function passesLine(filter: LineFilter, line: string, defined: Definitions): string {
  const { operator, text, others = [], isAddress } = filter
  if (!isAddress && operator !== '|>' && operator !== '!>') {
    return known(filterHolds(filter, defined.bound, line))
  }
  const define = (sql: string) => defined.define(sql)
  const one = `ifNull(${line}, '')`
  const holds = isAddress
    ? hasAddress(one, text)
    : anyOf(
        [text, ...others].map(shape => hasShape(textsOfShape(shape), one, defined.bound, define)),
      )
  return whereKnown([line], operator.startsWith('!') ? `NOT ${holds}` : holds)
}
