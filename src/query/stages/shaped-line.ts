/**
 * The line that all texts of a template have in common: a mark stands in the place of each variable. A
 * parser that reads it finds, in the places of values, the marks of the variables that are these values.
 *
 * That is exact because a variable is a word of ASCII letters and digits with none of these beside it, and
 * so is its mark, whose digits make it a number where a number has to be. What a parser makes of a line
 * depends on the letters and digits of a word in three places only: where the word is (a part of) a key,
 * where it is a number of JSON, and behind a backslash. Behind a backslash there is no shape; whoever runs
 * a parser sees to the other two. Where all texts have the same word, it can stand there instead of a mark.
 */

/** A text that is the same in all records of a template, or the variable of a slot, by its number. */
export type Part = string | number

/** Words that begin so are marks; where a constant of the template does, too, there is no shape. */
const markStart = '90719925474'
const slotDigits = 5
const mark = new RegExp(`${markStart}([0-9]{${slotDigits}})`)
const marks = new RegExp(mark, 'g')
const escapedMark = new RegExp(`(?<!\\\\)(?:\\\\\\\\)*\\\\${markStart}([0-9]{${slotDigits}})`, 'g')

/** Characters of lines that are read as shapes. */
const shapeLengthMax = 65_536

/** Undefined for a template of which there is no shape. */
export function shapedLine(statics: readonly string[]): string | undefined {
  const slotCount = statics.length - 1
  const length = statics.reduce((sum, part) => sum + part.length, 0)
  if (slotCount >= 10 ** slotDigits || length > shapeLengthMax) return undefined
  return statics.reduce((line, part, slot) => line + markOf(slot - 1) + part)
}

/** The mark of a variable, by its number within the template. */
export function markOf(slot: number): string {
  return markStart + String(slot).padStart(slotDigits, '0')
}

/**
 * The line with words in the place of some marks, by the numbers of their slots within the template.
 * Undefined where such a word could be taken for a mark.
 */
export function withWords(line: string, words: ReadonlyMap<number, string>): string | undefined {
  if (words.size === 0) return line
  for (const word of words.values()) if (word.includes(markStart)) return undefined
  return line.replaceAll(marks, (found, slot) => words.get(Number(slot)) ?? found)
}

/** Whether variables decide what a part of a shaped line is. */
export function isVariable(text: string): boolean {
  return mark.test(text)
}

/** Slots, within the template, whose variables stand behind a backslash. */
export function escapedSlots(line: string): readonly number[] {
  return Array.from(line.matchAll(escapedMark), ([, slot]) => Number(slot))
}

/** Slots, within the template, whose variables are in a text. */
export function slotsIn(text: string): readonly number[] {
  return Array.from(text.matchAll(marks), ([, slot]) => Number(slot))
}

/** What a part of a shaped line is made of; slots are counted over all templates from `firstSlot` on. */
export function partsOf(text: string, firstSlot: number): readonly Part[] {
  return text
    .split(marks)
    .map((part, i) => (i % 2 === 0 ? part : firstSlot + Number(part)))
    .filter(part => part !== '')
}

/** A variable in a number of JSON. */
export interface DigitsSlot {
  /** Within the template. */
  readonly slot: number
  /** Whether the number begins with it. */
  readonly isBeginning: boolean
  /** Whether it is all of the value. */
  readonly isWhole: boolean
}

export function digitsSlotsOf(number: string): readonly DigitsSlot[] {
  return Array.from(number.matchAll(marks), ({ index, 0: found, 1: slot }) => ({
    slot: Number(slot),
    isBeginning: index === 0 || (index === 1 && number.startsWith('-')),
    isWhole: found === number,
  }))
}
