/**
 * The lines of templates with what parsers find in them. Blocks have mostly the same templates, so that
 * lines are read once for all of them: words that all records of a block have in the place of a variable
 * stand in the line only where a parser must know them.
 */

import type { DigitsSlot } from './shaped-line.ts'
import { escapedSlots, shapedLine, withWords } from './shaped-line.ts'
import type { Found, ShapedParser, TemplatePlace } from './shaped-parsers.ts'

export interface Shape {
  readonly line: string
  /** What each parser finds. */
  readonly found: readonly Found[]
}

/** The line of a template with nothing but marks. */
interface Outline {
  readonly line: string
  readonly escapedSlots: readonly number[]
}

/** Templates of which a query remembers the outline; beyond it, it begins anew. */
const rememberedMax = 4_096

export class Shapes {
  readonly #parsers: readonly ShapedParser[]
  readonly #outlines = new Map<string, Outline | undefined>()

  constructor(parsers: readonly ShapedParser[]) {
    this.#parsers = parsers
  }

  /** Undefined where records of a template part in more than the values of what is found. */
  of(place: TemplatePlace): Shape | undefined {
    const outline = this.#outlineOf(place)
    if (outline === undefined) return undefined
    return this.#withFewWords(outline, place) ?? this.#withAllWords(outline, place)
  }

  #outlineOf({ column, template }: TemplatePlace): Outline | undefined {
    const text = column.templates.text(template)
    const known = this.#outlines.get(text)
    if (known !== undefined || this.#outlines.has(text)) return known
    const line = shapedLine(column.staticsOf(template))
    const outline = line === undefined ? undefined : { line, escapedSlots: escapedSlots(line) }
    if (this.#outlines.size >= rememberedMax) this.#outlines.clear()
    this.#outlines.set(text, outline)
    return outline
  }

  /** With those words only that must be known. */
  #withFewWords(outline: Outline, place: TemplatePlace): Shape | undefined {
    const words = this.#wordsByNeed(place)
    const hasEscaped = outline.escapedSlots.every(slot => addWord(words, slot, place))
    const read = hasEscaped ? this.#read(outline.line, words) : undefined
    if (read === undefined) return undefined
    const nameSlots = read.found.flatMap(one => one.nameSlots)
    if (nameSlots.length === 0) return this.#checked(read, words, place)
    if (!nameSlots.every(slot => addWord(words, slot, place))) return undefined
    return this.#checked(this.#read(outline.line, words), words, place)
  }

  /** What is read otherwise with a number in the place of a word, as `1e5`, is read with the word. */
  #withAllWords(outline: Outline, place: TemplatePlace): Shape | undefined {
    const words = new Map<number, string>()
    const { slotCount } = place.column.templates.at(place.template)
    for (let slot = 0; slot < slotCount; slot++) addWord(words, slot, place)
    if (!outline.escapedSlots.every(slot => words.has(slot))) return undefined
    return this.#checked(this.#read(outline.line, words), words, place)
  }

  #wordsByNeed(place: TemplatePlace): Map<number, string> {
    const words = new Map<number, string>()
    const needed = this.#parsers.filter(parser => parser.needsWords)
    if (needed.length === 0) return words
    const { firstSlot, slotCount } = place.column.templates.at(place.template)
    for (let slot = 0; slot < slotCount; slot++) {
      const word = place.column.constantOf(firstSlot + slot)
      if (word !== undefined && needed.some(parser => parser.needsWord(word))) words.set(slot, word)
    }
    return words
  }

  #read(outline: string, words: ReadonlyMap<number, string>): Shape | undefined {
    const line = withWords(outline, words)
    if (line === undefined) return undefined
    const found: Found[] = []
    for (const parser of this.#parsers) {
      const one = parser.find(line)
      if (one === undefined) return undefined
      found.push(one)
    }
    return { line, found }
  }

  /** What was read, if it is so in each record. */
  #checked(
    shape: Shape | undefined,
    words: ReadonlyMap<number, string>,
    place: TemplatePlace,
  ): Shape | undefined {
    if (shape === undefined) return undefined
    const isMark = (slot: number) => !words.has(slot)
    const holds =
      shape.found.every(
        ({ nameSlots, digits }) =>
          nameSlots.length === 0 && digits.every(one => areDigits(one, place)),
      ) && this.#parsers.every(parser => parser.holdsFor(place, isMark))
    return holds ? shape : undefined
  }
}

/** Notes the word that all records have in a slot. False when they do not have the same. */
function addWord(
  words: Map<number, string>,
  slot: number,
  { column, template }: TemplatePlace,
): boolean {
  const word = column.constantOf(column.templates.firstSlot(template) + slot)
  if (word !== undefined) words.set(slot, word)
  return word !== undefined
}

/** What JSON has in the place of a number, too. */
const otherValue = /^(?:true|false|(?:0|[1-9][0-9]*)[eE][0-9]+)$/
const otherValuesMax = 64

/** Whether the variables make a number of JSON. One that is all of a value may be another plain value. */
function areDigits(
  { slot, isBeginning, isWhole }: DigitsSlot,
  { column, template }: TemplatePlace,
): boolean {
  const own = column.templates.firstSlot(template) + slot
  if (column.areDigits(own, isBeginning)) return true
  const coded = isWhole ? column.variablesOf(own).codes() : undefined
  if (coded === undefined || coded.codeCount > otherValuesMax) return false
  for (let code = 0; code < coded.codeCount; code++) {
    const text = coded.textOf(code)
    if (!otherValue.test(text) && !/^(?:0|[1-9][0-9]*)$/.test(text)) return false
  }
  return true
}
