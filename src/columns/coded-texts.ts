/** Texts in memory, each distinct one once and a code for each value: what a query makes of records. */

import { type Condition, passes } from '../match/condition.ts'
import type { SearchableColumn, TextColumn, ValueCodes } from './column.ts'
import { decimalOf } from './decimal.ts'
import { offsetsFrom } from './plain.ts'

export class CodedTexts implements SearchableColumn {
  readonly #codes: Uint32Array
  readonly #texts: readonly string[]

  /** Value i is `texts[codes[i]]`. Both stay in use. */
  constructor(codes: Uint32Array, texts: readonly string[]) {
    this.#codes = codes
    this.#texts = texts
  }

  get valueCount(): number {
    return this.#codes.length
  }

  get heldBytes(): number {
    return this.#texts.reduce((sum, text) => sum + 2 * text.length, this.#codes.byteLength)
  }

  textAt(index: number): string {
    return this.#texts[this.#codes[index]!]!
  }

  markHits({ test }: Condition, hits: Uint8Array): void {
    const isHit = this.#texts.map(text => passes(test, text))
    for (let i = 0; i < this.#codes.length; i++) if (isHit[this.#codes[i]!]!) hits[i] = 1
  }

  countValues(selected: Uint8Array, visit: (text: string, count: number) => void): void {
    const counts = new Uint32Array(this.#texts.length)
    for (let i = 0; i < this.#codes.length; i++) counts[this.#codes[i]!]! += selected[i]!
    for (let code = 0; code < counts.length; code++) {
      if (counts[code]! > 0) visit(this.#texts[code]!, counts[code]!)
    }
  }

  codes(): ValueCodes {
    const textOf = (code: number) => this.#texts[code]!
    return { codes: this.#codes, codeCount: this.#texts.length, textOf }
  }

  numbers(): Float64Array {
    const ofCode = Float64Array.from(this.#texts, decimalOf)
    const codes = this.#codes
    const numbers = new Float64Array(codes.length)
    for (let i = 0; i < codes.length; i++) numbers[i] = ofCode[codes[i]!]!
    return numbers
  }

  toTextColumn(): TextColumn {
    const lengths = this.#texts.map(text => Buffer.byteLength(text))
    const texts = Array.from(this.#codes, code => this.#texts[code]!)
    return {
      offsets: offsetsFrom(Array.from(this.#codes, code => lengths[code]!)),
      bytes: Buffer.from(texts.join('')),
    }
  }
}

/** Numbers whose texts are made when they are asked for, which may be never. */
export class LaterTexts implements SearchableColumn {
  readonly valueCount: number
  readonly #make: { coded(): CodedTexts; numbers(): Float64Array }
  #made: CodedTexts | undefined

  constructor(valueCount: number, make: { coded(): CodedTexts; numbers(): Float64Array }) {
    this.valueCount = valueCount
    this.#make = make
  }

  get heldBytes(): number {
    return this.#made?.heldBytes ?? 0
  }

  textAt(index: number): string {
    return this.#coded.textAt(index)
  }

  markHits(condition: Condition, hits: Uint8Array): void {
    this.#coded.markHits(condition, hits)
  }

  countValues(selected: Uint8Array, visit: (text: string, count: number) => void): void {
    this.#coded.countValues(selected, visit)
  }

  codes(): ValueCodes {
    return this.#coded.codes()
  }

  numbers(): Float64Array {
    return this.#made?.numbers() ?? this.#make.numbers()
  }

  toTextColumn(): TextColumn {
    return this.#coded.toTextColumn()
  }

  get #coded(): CodedTexts {
    this.#made ??= this.#make.coded()
    return this.#made
  }
}
