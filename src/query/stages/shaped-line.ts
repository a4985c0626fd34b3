/**
 * The line that all texts of a template have in common: a mark stands in the place of each variable. A
 * parser that reads it finds, in the places of values, the marks of the variables that are these values.
 *
 * That is exact because a variable is a word of ASCII letters and digits with none of these beside it, and
 * so is its mark, whose digits make it a number where a number has to be. What a parser makes of a line
 * depends on the letters and digits of a word in three places only: where the word is (a part of) a key,
 * where it is a number of JSON, and behind a backslash. Behind a backslash there is no shape; whoever runs
 * a parser sees to the other two.
 */

import type { TemplateColumn } from '../../columns/template/open.ts'

/** A text that is the same in all records of a template, or the variable of a slot, by its number. */
export type Part = string | number

/** Words that begin so are marks; where a constant of the template does, too, there is no shape. */
const markStart = '90719925474'
const slotDigits = 5
const mark = new RegExp(`${markStart}([0-9]{${slotDigits}})`)
const marks = new RegExp(mark, 'g')
const escapedMark = new RegExp(`(?<!\\\\)(?:\\\\\\\\)*\\\\${markStart}`)

/** Characters of lines that are read as shapes: each template of a block is read anew. */
const shapeLengthMax = 65_536

/** Undefined where there is no shape. */
export function shapedLine(column: TemplateColumn, template: number): string | undefined {
  const { text, firstSlot, slotCount } = column.templates.at(template)
  if (slotCount >= 10 ** slotDigits || text.length > shapeLengthMax) return undefined
  const statics = column.staticsOf(template)
  let line = statics[0]!
  for (let slot = 0; slot < slotCount; slot++) {
    const constant = column.constantOf(firstSlot + slot)
    if (constant?.includes(markStart) === true) return undefined
    line += (constant ?? markStart + String(slot).padStart(slotDigits, '0')) + statics[slot + 1]!
  }
  return escapedMark.test(line) ? undefined : line
}

/** Whether variables decide what a part of a shaped line is. */
export function isVariable(text: string): boolean {
  return mark.test(text)
}

/** What a part of a shaped line is made of; slots are counted over all templates from `firstSlot` on. */
export function partsOf(text: string, firstSlot: number): readonly Part[] {
  return text
    .split(marks)
    .map((part, i) => (i % 2 === 0 ? part : firstSlot + Number(part)))
    .filter(part => part !== '')
}

/** A number of JSON in a shaped line, by what stands before each of its variables. */
export function* variablesOfNumber(
  text: string,
  firstSlot: number,
): Generator<{ slot: number; isBeginning: boolean }> {
  for (const { index, 1: slot } of text.matchAll(marks)) {
    const isBeginning = index === 0 || (index === 1 && text.startsWith('-'))
    yield { slot: firstSlot + Number(slot), isBeginning }
  }
}
