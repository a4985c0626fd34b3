/** The lines of some records, each with its number, in the order in which they are quick to make. */

import type { SearchableColumn } from '../../columns/column.ts'
import { TemplateColumn } from '../../columns/template/open.ts'
import { rebuildStrings } from '../../columns/template/rebuild.ts'

/** Share of a template's texts from which on it is faster to make all of them than each for itself. */
const rebuiltShareMin = 0.25

export function* linesOf(
  column: SearchableColumn,
  isWanted: Uint8Array,
): Generator<[number: number, line: string]> {
  if (column instanceof TemplateColumn) {
    for (let id = 0; id < column.templates.length; id++)
      yield* linesOfTemplate(column, id, isWanted)
    return
  }
  for (let number = isWanted.indexOf(1); number !== -1; number = isWanted.indexOf(1, number + 1)) {
    yield [number, column.textAt(number)]
  }
}

function* linesOfTemplate(
  column: TemplateColumn,
  id: number,
  isWanted: Uint8Array,
): Generator<[number: number, line: string]> {
  const rows = column.rowsOf(id)
  let count = 0
  for (let i = 0; i < rows.length; i++) count += isWanted[rows[i]!]!
  if (count === 0) return
  if (count >= rows.length * rebuiltShareMin) {
    let i = 0
    for (const line of rebuildStrings(column, id)) {
      const number = rows[i++]!
      if (isWanted[number] === 1) yield [number, line]
    }
    return
  }
  for (let i = 0; i < rows.length; i++) {
    if (isWanted[rows[i]!] === 1) yield [rows[i]!, column.templateTextAt(id, i)]
  }
}
