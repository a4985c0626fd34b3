/**
 * The kinds of the messages of a template column. A template is a skeleton but for variables that are words
 * without a digit: names of users in one block, which in another are part of the template. Texts of such a
 * template are told apart by these words, and by them alone.
 */

import { getOrInsertComputed } from '../../get-or-insert.ts'
import type { TextColumn } from '../column.ts'
import type { Integers } from '../integers.ts'
import type { TemplateColumn } from '../template/open.ts'
import { TextVariables } from '../template/texts.ts'
import type { Variables } from '../template/variables.ts'
import type { PatternCodes } from './column-patterns.ts'
import { type MessagePattern, patternOfSkeleton } from './message-pattern.ts'
import { isVaryingWord, mark } from './skeleton.ts'
import type { PatternTable } from './told-patterns.ts'

/** The words of a slot: variable i is `words[codes[i]]`, or the mark where it always varies. */
interface SlotWords {
  readonly codes: Integers
  readonly words: readonly string[]
}

/** `told`: the kinds of templates whose variables need not be read for it. */
export function templatePatterns(column: TemplateColumn, told?: PatternTable): PatternCodes {
  if (told !== undefined && told.kindOfTemplate.length > 0 && !told.kindOfTemplate.includes(0)) {
    return toldOfAll(column, told)
  }
  const { templates } = column
  const ofCode: (string | MessagePattern)[] = []
  for (let id = 0; id < templates.length; id++) ofCode.push('')
  let codes: Integers = column.templateIds()
  for (let id = 0; id < templates.length; id++) {
    const kind = told?.kindOfTemplate[id] ?? 0
    if (kind > 0) {
      ofCode[id] = told!.patterns[kind - 1]!
      continue
    }
    const slots = slotsOf(column, id)
    if (slots === undefined) {
      ofCode[id] = templates.text(id)
      continue
    }
    const words = slots.filter(slot => typeof slot === 'object')
    if (words.length === 0) {
      ofCode[id] = filled(column, id, slots, [])
      continue
    }
    if (!(codes instanceof Uint32Array)) codes = Uint32Array.from(codes)
    addVariants(column, id, slots, codes, ofCode)
  }
  return {
    codes,
    codeCount: ofCode.length,
    patternOf: code => {
      const known = ofCode[code]!
      if (typeof known === 'object') return known
      const pattern = patternOfSkeleton(known)
      ofCode[code] = pattern
      return pattern
    },
  }
}

/** Where each template has one kind, the directory of templates need not be read. */
function toldOfAll(
  column: TemplateColumn,
  { patterns, kindOfTemplate }: PatternTable,
): PatternCodes {
  return {
    codes: column.templateIds(),
    codeCount: kindOfTemplate.length,
    patternOf: code => patterns[kindOfTemplate[code]! - 1]!,
  }
}

/** What stands in each slot of a template: a word, the same in all texts, or several; undefined: all vary. */
function slotsOf(column: TemplateColumn, template: number): (string | SlotWords)[] | undefined {
  const { firstSlot, slotCount } = column.templates.at(template)
  let slots: (string | SlotWords)[] | undefined
  for (let i = 0; i < slotCount; i++) {
    const words = wordsOf(column, firstSlot + i)
    if (words === mark) continue
    slots ??= new Array<string | SlotWords>(slotCount).fill(mark)
    slots[i] = words
  }
  return slots
}

function wordsOf(column: TemplateColumn, slot: number): string | SlotWords {
  if (column.variesByForm(slot)) return mark
  const constant = column.constantOf(slot)
  if (constant !== undefined) return wordOrMark(constant)
  const variables = column.variablesOf(slot)
  if (variables instanceof TextVariables) return wordsOfTexts(variables.texts)
  return wordsOfCodes(variables)
}

function wordOrMark(word: string): string {
  return isVaryingWord(Buffer.from(word, 'latin1'), 0, word.length) ? mark : word
}

function wordsOfCodes(variables: Variables): string | SlotWords {
  const coded = variables.codes()
  if (coded === undefined) throw new Error('BUG: words without texts or codes')
  const { codes, codeCount, textOf } = coded
  const words = Array.from({ length: codeCount }, (_, code) => wordOrMark(textOf(code)))
  return words.every(word => word === mark) ? mark : { codes, words }
}

function wordsOfTexts({ offsets, bytes }: TextColumn): string | SlotWords {
  const count = offsets.length - 1
  let codes: Uint32Array | undefined
  const words = [mark]
  const codeOf = new Map<string, number>()
  for (let i = 0; i < count; i++) {
    const start = offsets[i]!
    const end = offsets[i + 1]!
    if (isVaryingWord(bytes, start, end)) continue
    codes ??= new Uint32Array(count)
    const word = bytes.toString('latin1', start, end)
    const code = getOrInsertComputed(codeOf, word, () => words.push(word) - 1)
    codes[i] = code
  }
  return codes === undefined ? mark : { codes, words }
}

/** Gives the texts of a template codes by their words. */
function addVariants(
  column: TemplateColumn,
  template: number,
  slots: readonly (string | SlotWords)[],
  codes: Uint32Array,
  ofCode: (string | MessagePattern)[],
): void {
  const rows = column.rowsOf(template)
  const varying = slots.filter(slot => typeof slot === 'object')
  const codeOf = new Map<number | string, number>()
  const combinations = varying.reduce((product, { words }) => product * words.length, 1)
  const isSmall = combinations <= Number.MAX_SAFE_INTEGER
  for (let i = 0; i < rows.length; i++) {
    let key: number | string = 0
    if (isSmall) for (const { codes, words } of varying) key = key * words.length + codes[i]!
    else key = varying.map(({ codes }) => codes[i]!).join()
    let code = codeOf.get(key)
    if (code === undefined) {
      const own = varying.map(({ codes, words }) => words[codes[i]!]!)
      code = ofCode.push(filled(column, template, slots, own)) - 1
      codeOf.set(key, code)
    }
    codes[rows[i]!] = code
  }
}

/** A template with words in their slots; `own`: those of slots that have several. */
function filled(
  column: TemplateColumn,
  template: number,
  slots: readonly (string | SlotWords)[],
  own: readonly string[],
): string {
  const statics = column.templates.text(template).split(mark)
  let text = statics[0]!
  let next = 0
  for (const [i, slot] of slots.entries()) {
    text += (typeof slot === 'string' ? slot : own[next++]!) + statics[i + 1]!
  }
  return text
}
