/**
 * A template column as a query sees it. Chunks are read when they are first needed: a search for text
 * that no template can have reads the directory only.
 */

import { getOrInsertComputed } from '../../get-or-insert.ts'
import type { Condition, Test } from '../../match/condition.ts'
import type { WordKind } from '../../match/state-table.ts'
import { keptArray } from '../../threads/uncounted-memory.ts'
import type { ChunkSource, SearchableColumn, TextColumn } from '../column.ts'
import { KeptSum } from '../kept.ts'
import { lowered } from '../lower-case.ts'
import type { PatternCodes } from '../patterns/column-patterns.ts'
import { hexWordLengthMin } from '../patterns/skeleton.ts'
import { templatePatterns } from '../patterns/template-patterns.ts'
import type { PatternTable } from '../patterns/told-patterns.ts'
import { planeCount, unpackPlanes } from '../planes.ts'
import { countBelow } from '../record-columns.ts'
import { countTest, markTest, mayPass } from '../search.ts'
import { type Fit, fits, type Word } from '../search-word.ts'
import { Trigrams, trigramBytes } from '../trigrams.ts'
import {
  type Directory,
  directoryChunk,
  firstVariablesChunk,
  idsChunk,
  readDirectory,
} from './directory.ts'
import { templateNumbers } from './numbers.ts'
import { rebuildTexts } from './rebuild.ts'
import { slotKinds } from './slots.ts'
import { staticParts } from './static-parts.ts'
import type { Templates } from './templates.ts'
import { mayHold, openVariables, type Variables, variableLengthMax } from './variables.ts'

/** What an opened slot takes on the heap, about. */
const objectBytes = 200

/** What takes more memory is kept, and counted, when it is opened for the first time. */
const smallBytesMax = 4_096

/**
 * What a code of a kind of messages takes, about, with what a query keeps of each (`block-patterns.ts`);
 * texts are mostly those of templates.
 */
const codeBytes = 48

/** Searches of a chunk that take as long as to make its trigrams. */
const looksPerTrigrams = 10

/** Texts that are asked for before all are sorted by template: that takes as long as counting out so many. */
const countedRowsMax = 8

/** @throws RangeError when `meta` is not of a template column. Chunks are checked when read. */
export function openTemplate(
  meta: unknown,
  valueCount: number,
  chunk: ChunkSource,
): TemplateColumn {
  const isCount = Number.isInteger(meta) && (meta as number) >= 0 && (meta as number) <= valueCount
  if (!isCount) throw new RangeError(`${valueCount} texts cannot have ${String(meta)} templates`)
  return new TemplateColumn(meta as number, valueCount, chunk)
}

/** The texts of one template: numbers of texts, ascending. */
export type Rows = Uint16Array | Uint32Array

/**
 * How the texts of a template are put together: a static part, a variable, a static part, …; what all of them
 * have in a slot is part of the static ones.
 */
interface Outline {
  readonly statics: readonly string[]
  /** Of the variables between them. */
  readonly slots: readonly number[]
}

/** What a column keeps, each made anew for itself. */
type KeptKind = 'directory' | 'ids' | 'rows' | 'trigrams' | 'variables' | 'numbers' | 'patterns'

export class TemplateColumn implements SearchableColumn {
  readonly valueCount: number
  readonly #templateCount: number
  readonly #readChunk: ChunkSource
  readonly #chunks: (Buffer | undefined)[] = []
  /** Those that were opened twice, or are large, by slot; most slots are of interest to one question. */
  readonly #variables = new Map<number, Variables>()
  /** The slot that was opened last: whoever asks for it mostly does so a few times. */
  #lastSlot = -1
  #lastVariables: Variables | undefined
  /** 1 for each slot that was opened. */
  #wereOpened: Uint8Array | undefined
  readonly #statics: (readonly string[] | undefined)[] = []
  /** How texts are put together, of templates of which texts were asked for. */
  readonly #outlines: (Outline | undefined)[] = []
  /** The same, with static parts as they stand inside a string of JSON. */
  readonly #jsonOutlines: (Outline | undefined)[] = []
  #directory: Directory | undefined
  #ids: Uint16Array | undefined
  /** All texts, those of the first template first. */
  #rows: Rows | undefined
  #countedRows = 0
  #numbers: Float64Array | undefined
  #patterns: PatternCodes | undefined
  /** One of each kind of which anything was made: most columns are asked for two or three. */
  readonly kept: KeptSum<KeptKind>[] = []
  /** Of the directory and of chunks of variables. */
  #trigrams: Map<number, Trigrams> | undefined
  /** How often each chunk was looked into for a word. */
  #looks: (number | undefined)[] | undefined
  /** Which chunks hold the bytes of a word; words live as long as their query. */
  #chunksHolding: WeakMap<Word, Map<number, boolean>> | undefined

  constructor(templateCount: number, valueCount: number, chunk: ChunkSource) {
    this.#templateCount = templateCount
    this.valueCount = valueCount
    this.#readChunk = chunk
  }

  get heldBytes(): number {
    return this.kept.reduce((sum, { heldBytes }) => sum + heldBytes, 0)
  }

  get templates(): Templates {
    return this.#openDirectory().templates
  }

  markHits(condition: Condition, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    markTest(this, condition.test, hits, isWanted)
  }

  countHits(test: Test): number | undefined {
    return countTest(this, test)
  }

  mayPass(test: Test): boolean {
    return mayPass(this, test)
  }

  toTextColumn(): TextColumn {
    return rebuildTexts(this)
  }

  /** Kept: numbers with a fraction are templates of two variables, which are to be put together. */
  numbers(): Float64Array {
    this.#numbers ??= this.#keptOf('numbers').make(
      () => templateNumbers(this),
      numbers => numbers.byteLength,
    )
    return this.#numbers
  }

  /** Kept: variables that are words have to be read for it. */
  patternCodes(told?: PatternTable): PatternCodes {
    this.#patterns ??= this.#keptOf('patterns').make(
      () => templatePatterns(this, told),
      ({ codes, codeCount }) =>
        (codes === this.#ids ? 0 : codes.byteLength) + codeCount * codeBytes,
    )
    return this.#patterns
  }

  textAt(index: number): string {
    const id = this.templateIds()[index]!
    return this.templateTextAt(id, this.#indexOf(id, index))
  }

  /** Variables are letters and digits, so only the static parts can hold what JSON escapes. */
  jsonAt(index: number): string {
    const id = this.templateIds()[index]!
    let outline = this.#jsonOutlines[id]
    if (outline === undefined) {
      const { statics, slots } = this.#outlineOf(id)
      const escaped = statics.map(part => JSON.stringify(part).slice(1, -1))
      outline = this.#keepOutline(this.#jsonOutlines, id, { statics: escaped, slots })
    }
    return `"${this.#join(outline, this.#indexOf(id, index))}"`
  }

  /** The text with number `index` among those of a template. */
  templateTextAt(template: number, index: number): string {
    return this.#join(this.#outlineOf(template), index)
  }

  /** The number of a text among those of its template. Few are counted out, for more all are sorted. */
  #indexOf(template: number, row: number): number {
    const isSorted = this.#rows !== undefined || this.#countedRows++ >= countedRowsMax
    if (isSorted) return countBelow(this.rowsOf(template), row) // It is one of them.
    const index = countEqual(this.templateIds(), template, row)
    if (index >= this.templates.count(template)) {
      throw new RangeError(`template ${template} has more texts than the directory says`)
    }
    return index
  }

  #outlineOf(template: number): Outline {
    const known = this.#outlines[template]
    if (known !== undefined) return known
    const { templates } = this.#openDirectory()
    const [first, ...others] = staticParts(templates.text(template))
    const statics = [first!]
    const slots: number[] = []
    for (const [i, part] of others.entries()) {
      const slot = templates.firstSlot(template) + i
      const constant = this.constantOf(slot)
      if (constant !== undefined) statics.push(statics.pop()! + constant + part)
      else {
        slots.push(slot)
        statics.push(part)
      }
    }
    return this.#keepOutline(this.#outlines, template, { statics, slots })
  }

  #keepOutline(outlines: (Outline | undefined)[], template: number, outline: Outline): Outline {
    outlines[template] = outline
    const { statics } = outline
    const bytes = statics.reduce((sum, part) => sum + part.length, 40 * statics.length)
    this.#keptOf('directory').heldBytes += bytes
    return outline
  }

  #join({ statics, slots }: Outline, index: number): string {
    let text = statics[0]!
    for (let i = 0; i < slots.length; i++) {
      text += this.variablesOf(slots[i]!).textAt(index) + statics[i + 1]!
    }
    return text
  }

  /** The static parts of a template, decoded. */
  staticsOf(template: number): readonly string[] {
    let statics = this.#statics[template]
    if (statics === undefined) {
      const text = this.templates.text(template)
      statics = staticParts(text)
      this.#statics[template] = statics
      this.#keptOf('directory').heldBytes += text.length + 32 * statics.length
    }
    return statics
  }

  /** The template of each text. */
  templateIds(): Uint16Array {
    this.#ids ??= this.#keptOf('ids').make(
      () => this.#openIds(),
      ids => ids.byteLength,
    )
    return this.#ids
  }

  rowsOf(template: number): Rows {
    this.#rows ??= this.#keptOf('rows').make(
      () => this.#sortRows(),
      rows => rows.byteLength,
    )
    const { templates } = this.#openDirectory()
    const firstRow = templates.firstRow(template)
    return this.#rows.subarray(firstRow, firstRow + templates.count(template))
  }

  /** The variables of a slot, counted over all templates. */
  variablesOf(slot: number): Variables {
    if (slot === this.#lastSlot) return this.#lastVariables!
    const variables = this.#variables.get(slot) ?? this.#openVariables(slot)
    this.#lastSlot = slot
    this.#lastVariables = variables
    return variables
  }

  #openVariables(slot: number): Variables {
    const { slots, templates } = this.#openDirectory()
    const chunk = this.#chunk(slots.chunk(slot))
    const variables = openVariables(slots, slot, chunk, templates.count(slots.template(slot)))
    if (slots.kind(slot) === slotKinds.constant) return variables // The directory has all of it.
    this.#wereOpened ??= new Uint8Array(templates.slotCount)
    if (this.#wereOpened[slot] === 1 || variables.heldBytes > smallBytesMax) {
      this.#variables.set(slot, variables)
      // Of thousands: to look at the clock would take longer than to open one.
      this.#keptOf('variables').heldBytes += objectBytes + variables.heldBytes
    }
    this.#wereOpened[slot] = 1
    return variables
  }

  /** Whether all variables of a slot are known to be the same. Opens no chunk. */
  isConstant(slot: number): boolean {
    return this.#openDirectory().slots.kind(slot) === slotKinds.constant
  }

  /** The text of a slot whose variables are all the same; undefined when they are not. Opens no chunk, and
   *  nothing is kept: a thread has tens of thousands of such slots open. */
  constantOf(slot: number): string | undefined {
    const { slots } = this.#openDirectory()
    if (slots.kind(slot) !== slotKinds.constant) return undefined
    const start = slots.offset(slot)
    return this.#chunk(directoryChunk).toString('latin1', start, start + slots.bytes(slot))
  }

  /** Whether the text of a slot whose variables are all the same holds a word so. Opens no chunk. */
  constantFits(slot: number, fit: Fit, word: Word): boolean {
    const { slots } = this.#openDirectory()
    const start = slots.offset(slot)
    return fits(this.#chunk(directoryChunk), start, start + slots.bytes(slot), fit, word)
  }

  /** What the kind of a slot tells of its words. Opens no chunk. */
  wordKindOf(slot: number): WordKind {
    const kind = this.#openDirectory().slots.kind(slot)
    if (kind === slotKinds.integer) return 'digits'
    return kind === slotKinds.hex ? 'hex' : 'word'
  }

  /** Whether the kind of a slot tells that each of its words has a digit, or is a hexadecimal number. */
  variesByForm(slot: number): boolean {
    const { slots } = this.#openDirectory()
    const kind = slots.kind(slot)
    const isLongHex = kind === slotKinds.hex && slots.parameter(slot, 0) >= hexWordLengthMin
    return kind === slotKinds.integer || isLongHex
  }

  /** Whether all variables of a slot are digits (see `Variables`). Opens no chunk where its kind tells. */
  areDigits(slot: number, asWhole: boolean): boolean {
    const { slots } = this.#openDirectory()
    if (slots.kind(slot) === slotKinds.integer) return true
    return this.variablesOf(slot).areDigits(asWhole)
  }

  /** How many texts have the template of a slot. */
  textCountOf(slot: number): number {
    const { slots, templates } = this.#openDirectory()
    return templates.count(slots.template(slot))
  }

  /** Characters that no text of a template has more of, known without its variables. */
  lengthMax(template: number): number {
    const { slots } = this.#openDirectory()
    const { text, firstSlot, slotCount } = this.templates.at(template)
    let length = text.length
    for (let slot = firstSlot; slot < firstSlot + slotCount; slot++) {
      length += variableLengthMax(slots, slot)
    }
    return length
  }

  /**
   * Whether a word may be a part of a word of any text: a few looks at 4 KiB each, or a search of the
   * chunks that are looked into for the first time. Static parts and constants lie in the directory's chunk
   * as they are. Words of hexadecimal digits may stand in packed variables and are not told.
   */
  mayHoldWord(word: Word): boolean {
    if (word.isHex) return true
    const { chunkBytes } = this.#openDirectory()
    for (let chunk = 0; chunk < chunkBytes.length; chunk++) {
      if (chunkBytes[chunk]! > 0 && this.#chunkHolds(chunk, word)) return true
    }
    return false
  }

  /** Whether a variable of the slot may hold the word so, told without opening the slot. */
  mayHold(slot: number, fit: Fit, word: Word): boolean {
    const { slots } = this.#openDirectory()
    const kind = slots.kind(slot)
    if (kind === slotKinds.constant) return this.constantFits(slot, fit, word)
    if (!mayHold(slots, slot, word)) return false
    const isPacked = kind === slotKinds.integer || kind === slotKinds.hex
    return isPacked || this.#chunkHolds(slots.chunk(slot), word)
  }

  /**
   * Whether the bytes of a word stand anywhere in a chunk: one fast search for hundreds of slots, whose
   * texts lie in the chunk as they are. What stands between them may look like the word, too.
   */
  #chunkHolds(chunk: number, word: Word): boolean {
    this.#chunksHolding ??= new WeakMap()
    const chunks = getOrInsertComputed(this.#chunksHolding, word, newMap)
    let holds = chunks.get(chunk)
    if (holds === undefined) {
      const mayHold = this.#trigramsOf(chunk, word)?.mayHold(word.bytes) ?? true
      holds = mayHold && includes(this.#chunk(chunk), word)
      chunks.set(chunk, holds)
    }
    return holds
  }

  /**
   * Those of a chunk that has to be read again for a word, or was looked into as often as it takes to make
   * them. They stay when the chunk is shed: most words are then ruled out without reading it again.
   */
  #trigramsOf(chunk: number, word: Word): Trigrams | undefined {
    if (word.bytes.length < trigramBytes) return undefined
    let trigrams = this.#trigrams?.get(chunk)
    if (trigrams === undefined) {
      this.#looks ??= []
      const looks = (this.#looks[chunk] ?? 0) + 1
      this.#looks[chunk] = looks
      const isReadAgain = looks > 1 && this.#chunks[chunk] === undefined
      if (!isReadAgain && looks < looksPerTrigrams) return undefined
      trigrams = this.#keptOf('trigrams').make(
        () => new Trigrams(this.#chunk(chunk)),
        ({ heldBytes }) => heldBytes,
      )
      this.#trigrams ??= new Map()
      this.#trigrams.set(chunk, trigrams)
    }
    return trigrams
  }

  /** Forgets the variables; templates, and which text has which, stay. */
  shed(): void {
    for (const sum of this.kept) {
      if (sum.kind === 'variables' || sum.kind === 'numbers') sum.release()
    }
  }

  /** For what counts them. */
  forget(kind: KeptKind): void {
    if (kind === 'ids') this.#ids = undefined
    else if (kind === 'trigrams') this.#trigrams = undefined
    else if (kind === 'numbers') this.#numbers = undefined
    else if (kind === 'patterns') this.#patterns = undefined
    else if (kind === 'rows') {
      this.#rows = undefined
      this.#countedRows = 0
    } else if (kind === 'variables') {
      this.#variables.clear()
      this.#forgetLast()
      this.#wereOpened = undefined
      this.#chunks.length = Math.min(this.#chunks.length, firstVariablesChunk)
    } else {
      this.#directory = undefined
      this.#forgetLast()
      this.#chunks[directoryChunk] = undefined
      this.#statics.length = 0
      this.#outlines.length = 0
      this.#jsonOutlines.length = 0
    }
  }

  #forgetLast(): void {
    this.#lastSlot = -1
    this.#lastVariables = undefined
  }

  #keptOf(kind: KeptKind): KeptSum<KeptKind> {
    for (const sum of this.kept) if (sum.kind === kind) return sum
    const sum = new KeptSum<KeptKind>(this, kind, kind === 'variables')
    this.kept.push(sum)
    return sum
  }

  #openDirectory(): Directory {
    if (this.#directory === undefined) {
      const bytes = this.#chunk(directoryChunk)
      this.#directory = this.#keptOf('directory').make(
        () => readDirectory(bytes, this.#templateCount, this.valueCount),
        ({ templates, slots }) => templates.heldBytes + slots.heldBytes,
      )
    }
    return this.#directory
  }

  #openIds(): Uint16Array {
    const planes = planeCount(this.#templateCount - 1)
    const bytes = this.#readChunk(idsChunk, true)
    if (bytes.length !== planes * this.valueCount) {
      throw new RangeError(
        `${bytes.length} bytes are not the templates of ${this.valueCount} texts`,
      )
    }
    // One template: the chunk is empty.
    if (planes === 0) return new Uint16Array(this.valueCount)
    const ids = unpackPlanes(bytes, this.valueCount, planes)
    return ids instanceof Uint16Array ? ids : new Uint16Array(ids)
  }

  #sortRows(): Rows {
    const { templates } = this.#openDirectory()
    const ids = this.templateIds()
    const rows =
      ids.length <= 0x10000 ? keptArray(Uint16Array, ids.length) : new Uint32Array(ids.length)
    const next = new Uint32Array(templates.length)
    for (let id = 0; id < next.length; id++) next[id] = templates.firstRow(id)
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i]!
      if (id >= next.length) throw new RangeError(`there is no template ${id}`)
      rows[next[id]!++] = i
    }
    for (let id = 0; id < next.length; id++) {
      const firstRow = templates.firstRow(id)
      const count = templates.count(id)
      if (next[id] !== firstRow + count) {
        throw new RangeError(`template ${id} has ${next[id]! - firstRow} texts, not ${count}`)
      }
    }
    return rows
  }

  /** A chunk whose bytes the column goes on using. */
  #chunk(index: number): Buffer {
    let bytes = this.#chunks[index]
    if (bytes === undefined) {
      const kept = this.#keptOf(index >= firstVariablesChunk ? 'variables' : 'directory')
      bytes = kept.make(
        () => this.#readChunk(index),
        ({ length }) => length,
      )
      if (index >= firstVariablesChunk) this.#checkLength(index, bytes)
      this.#chunks[index] = bytes
    }
    return bytes
  }

  #checkLength(index: number, { length }: Buffer): void {
    const expected = this.#openDirectory().chunkBytes[index]
    if (length === expected) return
    throw new RangeError(`a chunk of variables has ${length} bytes, not ${expected}`)
  }
}

/** Made once: the same for each chunk that is looked into would be garbage. */
function newMap(): Map<number, boolean> {
  return new Map()
}

function includes(bytes: Buffer, word: Word): boolean {
  return (word.isInAnyCase ? lowered(bytes) : bytes).includes(word.bytes)
}

/** How many of the first `end` ids are `wanted`. */
function countEqual(ids: Uint16Array, wanted: number, end: number): number {
  let count = 0
  for (let i = 0; i < end; i++) count += ids[i] === wanted ? 1 : 0
  return count
}
