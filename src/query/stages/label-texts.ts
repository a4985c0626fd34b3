/** The texts of one label, gathered for the records of a block or batch as they come. */

import { CodedTexts, LaterTexts } from '../../columns/coded-texts.ts'
import { decimalOf } from '../../columns/decimal.ts'
import type { AttributeColumn } from '../../columns/record-columns.ts'
import { limits } from '../../limits.ts'
import { beforeMatch } from '../../threads/turn.ts'
import type { LabelValues } from './label-values.ts'

/** What stages make of the records of one block or frame is more than a thread may hold. */
export class StagedTooLong extends Error {
  override readonly name = 'StagedTooLong'

  constructor() {
    super(
      `the stages make more than ${limits.queryStagedLengthMax} characters of one label, or of the ` +
        'lines, of a block of records; add matchers or make shorter texts',
    )
  }
}

/** Counts the characters of a column that is being made. */
export class StagedLength {
  #length = 0

  /** Throws StagedTooLong. */
  add(length: number): void {
    this.#length += length
    if (this.#length > limits.queryStagedLengthMax) throw new StagedTooLong()
  }
}

/** Not to be added for a record that does not have the label. */
const absent = 0
const uncoded = 0xffff_ffff
/** For a record whose text is made when it is asked for. */
const unmade = 0xffff_fffe

/** Values of which nobody may want the texts. */
interface Later {
  readonly values: NumberedTexts
  /** Of the values, and of the records that have them. */
  readonly indexes: readonly number[]
  readonly numbers: readonly number[]
}

export class LabelTexts {
  /** One more than the number of its text, for each record. */
  readonly #codes: Uint32Array
  readonly #texts: string[] = []
  readonly #known = new Map<string, number>()
  readonly #length = new StagedLength()
  readonly #later: Later[] = []

  constructor(recordCount: number) {
    this.#codes = new Uint32Array(recordCount)
  }

  /** Throws StagedTooLong. */
  add(number: number, text: string): void {
    this.#length.add(text.length)
    this.#codes[number] = this.#codeOf(text)
  }

  /** The records of a group that are wanted and have the label. Throws StagedTooLong, TurnOver. */
  addGroup(
    values: LabelValues,
    rows: ArrayLike<number> | undefined,
    isWanted: (number: number) => boolean,
  ): void {
    const count = rows?.length ?? this.#codes.length
    beforeMatch(count)
    if (isNumbered(values)) {
      this.#addLater(values, rows, isWanted)
      return
    }
    const numbers =
      values.kind === 'codes' ? new Uint32Array(values.codeCount).fill(uncoded) : undefined
    let same = uncoded
    for (let i = 0; i < count; i++) {
      const number = rows === undefined ? i : rows[i]!
      if (!isWanted(number)) continue
      let code: number
      if (values.kind === 'codes') {
        const own = values.codes[i]!
        code = numbers![own]!
        if (code === uncoded) {
          code = this.#presentCodeOf(values.textOf(own))
          numbers![own] = code
        }
      } else if (values.kind === 'same') {
        if (same === uncoded) same = this.#presentCodeOf(values.text)
        code = same
      } else code = this.#presentCodeOf(values.textAt(i))
      if (code === absent) continue
      this.#length.add(this.#texts[code - 1]!.length)
      this.#codes[number] = code
    }
  }

  /** Undefined when no record has the label. The memory of the block must stay as it is. */
  column(): AttributeColumn | undefined {
    const all = this.#codes
    let count = 0
    for (let number = 0; number < all.length; number++) if (all[number] !== absent) count++
    if (count === 0) return undefined
    const rows = new Uint32Array(count)
    for (let number = 0, i = 0; i < count; number++) if (all[number] !== absent) rows[i++] = number
    const column =
      this.#later.length === 0
        ? this.#coded(rows)
        : new LaterTexts(count, {
            coded: () => this.#coded(rows),
            numbers: () => this.#numbers(rows),
          })
    return { column, rows: count === all.length ? undefined : rows }
  }

  #addLater(
    values: NumberedTexts,
    rows: ArrayLike<number> | undefined,
    isWanted: (number: number) => boolean,
  ): void {
    const later = { values, indexes: [] as number[], numbers: [] as number[] }
    const count = rows?.length ?? this.#codes.length
    for (let i = 0; i < count; i++) {
      const number = rows === undefined ? i : rows[i]!
      if (!isWanted(number)) continue
      this.#codes[number] = unmade
      later.indexes.push(i)
      later.numbers.push(number)
    }
    this.#later.push(later)
  }

  #coded(rows: Uint32Array): CodedTexts {
    for (const { values, indexes, numbers } of this.#later.splice(0)) {
      for (let i = 0; i < numbers.length; i++) this.add(numbers[i]!, values.textAt(indexes[i]!))
    }
    const codes = new Uint32Array(rows.length)
    for (let i = 0; i < rows.length; i++) codes[i] = this.#codes[rows[i]!]! - 1
    return new CodedTexts(codes, this.#texts)
  }

  /** What the texts write, without those that are not made yet. */
  #numbers(rows: Uint32Array): Float64Array {
    const all = new Float64Array(this.#codes.length)
    for (const { values, indexes, numbers } of this.#later) {
      const known = values.numbers()
      for (let i = 0; i < numbers.length; i++) all[numbers[i]!] = known[indexes[i]!]!
    }
    const ofCode = this.#texts.map(decimalOf)
    const written = new Float64Array(rows.length)
    for (let i = 0; i < rows.length; i++) {
      const code = this.#codes[rows[i]!]!
      written[i] = code === unmade ? all[rows[i]!]! : ofCode[code - 1]!
    }
    return written
  }

  #presentCodeOf(text: string): number {
    return text === '' ? absent : this.#codeOf(text)
  }

  #codeOf(text: string): number {
    let code = this.#known.get(text)
    if (code === undefined) {
      // Half of a character, which a template may leave, is no text.
      this.#texts.push(text.toWellFormed())
      code = this.#texts.length
      this.#known.set(text, code)
    }
    return code
  }
}

/** Texts of which each is one of a template that are numbers: there is none that is empty or is no number. */
type NumberedTexts = Extract<LabelValues, { kind: 'texts' }> & { numbers(): Float64Array }

function isNumbered(values: LabelValues): values is NumberedTexts {
  return values.kind === 'texts' && values.areNumbers === true && values.numbers !== undefined
}

/** `own`: what came under the very name of the label; it may be empty, and is there all the same. */
export function addText(
  texts: LabelTexts,
  number: number,
  own: string | undefined,
  text: string,
): void {
  if (own !== undefined || text !== '') texts.add(number, own ?? text)
}
