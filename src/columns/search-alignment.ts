/**
 * Where a search text can lie in the texts of a template, and what it asks of their variables there.
 *
 * Such a place is an alignment. A text is static part, variable, static part, variable, …, and no
 * variable touches another. So where the search text lies over a static part its bytes must be equal;
 * where it reaches a variable, its word there must be the variable, or a part of it at an end of the
 * search text. Each occurrence belongs to exactly one alignment, and each alignment whose conditions
 * hold is an occurrence.
 *
 * Nothing here asks which words are variables: that is the encoder's choice.
 */
import { type Fit, Word } from './search-word.ts'
import { slotMark } from './template/split.ts'
import { wordEnd } from './words.ts'

/** What an alignment asks of the variables of one slot. */
export interface SlotCondition {
  readonly slot: number
  readonly fit: Fit
  readonly word: Word
}

/** All must hold. An alignment without conditions fits every text of the template. */
export type Alignment = readonly SlotCondition[]

/** Templates whose alignments one needle remembers; beyond it, it starts over. */
const rememberedMax = 20_000

/** What most templates have: one for all, as a needle remembers those of thousands. */
const noAlignments: readonly Alignment[] = []
/** Without a condition: all texts of the template have it. */
const inStatics: readonly Alignment[] = [[]]

/** A search text, and its alignments with all templates that it was tried on. */
export class Needle {
  /** Latin1. */
  readonly text: string
  readonly bytes: Buffer
  /** Whether a text must be equal, rather than contain the needle. */
  readonly isWhole: boolean
  /** Whether texts may have it in any case; it is ASCII in lower case then. */
  readonly isInAnyCase: boolean
  /** The words, by where they begin. */
  readonly #words = new Map<number, Word>()
  /** The same few templates are in every block. */
  readonly #remembered = new Map<string, readonly Alignment[]>()
  /** Of a needle that is one word: inside of the variable of each slot. */
  readonly #inside: Alignment[] = []
  /** Others, by their first slot: most templates have the same few. */
  readonly #others: (Alignment[] | undefined)[] = []

  constructor(
    bytes: Buffer,
    { isWhole, isInAnyCase = false }: { readonly isWhole: boolean; readonly isInAnyCase?: boolean },
  ) {
    this.bytes = bytes
    this.isInAnyCase = isInAnyCase
    this.text = bytes.toString('latin1')
    this.isWhole = isWhole
    for (let at = 0; at < this.text.length; ) {
      const end = wordEnd(this.text, at)
      if (end > at) this.#words.set(at, new Word(this.text.slice(at, end), isInAnyCase))
      at = Math.max(end, at + 1)
    }
  }

  /** Its words, in order. The first and the last may be parts of words of a text. */
  get words(): Iterable<Word> {
    return this.#words.values()
  }

  /** All alignments with a template; a single one without conditions when there is one such. */
  alignmentsWith(template: string): readonly Alignment[] {
    let alignments = this.#remembered.get(template)
    if (alignments === undefined) {
      // What is not ASCII stays so, and none of it is in such a needle.
      const folded = this.isInAnyCase ? template.toLowerCase() : template
      alignments = this.isWhole ? this.#wholeAlignment(folded) : this.#alignments(folded)
      if (this.#remembered.size >= rememberedMax) this.#forget()
      this.#remembered.set(template, alignments)
    }
    return alignments
  }

  #wholeAlignment(template: string): readonly Alignment[] {
    const conditions: SlotCondition[] = []
    const isWhole = this.#follow(template, 0, 0, 0, conditions) === template.length
    if (!isWhole) return noAlignments
    return [conditions.map(({ slot, word }) => ({ slot, fit: 'equals', word }))]
  }

  #alignments(template: string): readonly Alignment[] {
    const { text } = this
    if (text.length === 0) return inStatics
    // The mark is a digit, and a needle with a digit cannot lie in a static part: no false find.
    const isStatic = !/[0-9]/.test(text) && template.includes(text)
    if (isStatic) return inStatics
    const found: Alignment[] = []
    let slot = 0
    let staticStart = 0
    for (let at = 0; at < template.length; at++) {
      if (template.charCodeAt(at) !== slotMark) continue
      this.#alignInside(template, at, slot, found)
      this.#alignBefore(template, at, slot, at - staticStart, found)
      staticStart = at + 1
      slot++
    }
    return found.length === 0 ? noAlignments : found.slice() // Without the room for more.
  }

  /** The alignment that begins inside the variable marked at `at`. */
  #alignInside(template: string, at: number, slot: number, found: Alignment[]): void {
    const word = this.#words.get(0)
    if (word === undefined) return
    if (word.text.length === this.text.length) {
      this.#inside[slot] ??= [{ slot, fit: 'contains', word }]
      found.push(this.#inside[slot])
      return
    }
    // What follows the word is no part of one, and no variable.
    if (template.charCodeAt(at + 1) !== this.text.charCodeAt(word.text.length)) return
    const conditions: SlotCondition[] = [{ slot, fit: 'suffix', word }]
    if (this.#follow(template, at + 1, slot + 1, word.text.length, conditions) !== -1) {
      found.push(this.#shared(conditions))
    }
  }

  /** The alignments that begin in the static part before the mark at `at` and reach beyond it. */
  #alignBefore(
    template: string,
    at: number,
    slot: number,
    staticLength: number,
    found: Alignment[],
  ): void {
    for (const wordStart of this.#words.keys()) {
      if (wordStart === 0) continue // Then it begins in the variable.
      if (wordStart > staticLength) return
      if (template.charCodeAt(at - 1) !== this.text.charCodeAt(wordStart - 1)) continue
      if (!template.endsWith(this.text.slice(0, wordStart), at)) continue
      const conditions: SlotCondition[] = []
      const end = this.#follow(template, at, slot, wordStart, conditions)
      if (end !== -1) found.push(this.#shared(conditions))
    }
  }

  /** One alignment for all with the same slots and words. The slots follow one another, and how a word must
   *  fit is told by where in the needle it stands. */
  #shared(conditions: readonly SlotCondition[]): Alignment {
    const { slot } = conditions[0]!
    const others = this.#others[slot]
    for (const other of others ?? []) if (haveSameWords(other, conditions)) return other
    const alignment = conditions.slice()
    this.#others[slot] = others === undefined ? [alignment] : [...others, alignment]
    return alignment
  }

  #forget(): void {
    this.#remembered.clear()
    this.#others.length = 0
  }

  /**
   * Lays the rest of the needle, from `from` on, over the template from `at` on, and collects what it
   * asks of the variables there. Returns where in the template it ends, or -1 when it does not fit.
   */
  #follow(
    template: string,
    at: number,
    slot: number,
    from: number,
    conditions: SlotCondition[],
  ): number {
    const { text } = this
    let templateAt = at
    let nextSlot = slot
    let needleAt = from
    while (needleAt < text.length) {
      if (templateAt === template.length) return -1
      const code = template.charCodeAt(templateAt)
      if (code === slotMark) {
        const word = this.#words.get(needleAt)
        if (word === undefined) return -1
        needleAt += word.text.length
        const fit = needleAt === text.length ? 'prefix' : 'equals'
        conditions.push({ slot: nextSlot, fit, word })
        nextSlot++
      } else {
        if (code !== text.charCodeAt(needleAt)) return -1
        needleAt++
      }
      templateAt++
    }
    return templateAt
  }
}

function haveSameWords(a: Alignment, b: Alignment): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i]!.word !== b[i]!.word) return false
  return true
}
