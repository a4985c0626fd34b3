/** The distinct texts of each cell, for exact counts of them. */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { limits } from '../../limits.ts'
import { type LabelCodes, labelCodes } from '../collect/label-codes.ts'
import type { Accumulator } from './accumulators.ts'
import { type BlockCells, noCell } from './cells.ts'

/** The texts of cell i: those numbered by `numbers` from `starts[i]` up to `starts[i + 1]`. */
interface PlainDistinct {
  readonly texts: readonly string[]
  readonly numbers: Uint32Array
  readonly starts: Uint32Array
  /** 1 for cells with records, be they without a text. */
  readonly hasRecords: Uint8Array
}

/** Pairs of a block's cells and codes up to which a table tells which have been seen. */
const seenTableMax = 2 ** 20

/**
 * Records without a value are as those with an empty one: neither is counted. A cell without records has no
 * result.
 */
export class DistinctAccumulator implements Accumulator<LabelCodes, PlainDistinct> {
  readonly skippedCount = 0
  readonly #label: string
  readonly #numbers = new Map<string, number>()
  /** Of each cell that has records, the numbers of its texts. */
  readonly #cells: Set<number>[] = []
  #pairCount = 0
  /** Characters of all texts. */
  #length = 0

  constructor(label: string) {
    this.#label = label
  }

  get refusal(): string | undefined {
    const { distinctValuesMax, distinctLengthMax } = limits
    if (this.#pairCount <= distinctValuesMax && this.#length <= distinctLengthMax) return undefined
    return (
      `"count_distinct" meets more than ${distinctValuesMax} distinct values, or more than ` +
      `${distinctLengthMax} characters of them; ask for less time, add matchers or group by less`
    )
  }

  read(columns: RecordColumns, selected: Uint8Array): LabelCodes {
    return labelCodes(this.#label, columns, selected)
  }

  add({ codes, cells }: BlockCells, values: LabelCodes): void {
    const { codes: valueCodes, codeCount, textOf } = values
    const seen =
      cells.length * codeCount <= seenTableMax
        ? new Uint8Array(cells.length * codeCount)
        : undefined
    const numbers = new Map<number, number>()
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!
      if (code === noCell) continue
      const valueCode = valueCodes === undefined ? 0 : valueCodes[row]!
      if (seen !== undefined) {
        const pair = code * codeCount + valueCode
        if (seen[pair] === 1) continue
        seen[pair] = 1
      }
      let number = numbers.get(valueCode)
      if (number === undefined) {
        number = this.#numberOf(textOf(valueCode))
        numbers.set(valueCode, number)
      }
      this.#addTo(cells[code]!, number)
    }
  }

  toPlain(cellCount: number): PlainDistinct {
    const numbers = new Uint32Array(this.#pairCount)
    const starts = new Uint32Array(cellCount + 1)
    const hasRecords = new Uint8Array(cellCount)
    let at = 0
    for (let cell = 0; cell < cellCount; cell++) {
      const own = this.#cells[cell]
      if (own !== undefined) hasRecords[cell] = 1
      for (const number of own ?? []) numbers[at++] = number
      starts[cell + 1] = at
    }
    return { texts: [...this.#numbers.keys()], numbers, starts, hasRecords }
  }

  addPlain(cells: Uint32Array, { texts, numbers, starts, hasRecords }: PlainDistinct): void {
    const own = texts.map(text => this.#numberOf(text))
    for (let i = 1; i < cells.length; i++) {
      if (hasRecords[i] === 1) this.#addTo(cells[i]!, noText)
      for (let at = starts[i]!; at < starts[i + 1]!; at++) {
        this.#addTo(cells[i]!, own[numbers[at]!]!)
      }
    }
  }

  at(cell: number): number | undefined {
    return this.#cells[cell]?.size
  }

  /** The number of a text, counted from 0. */
  #numberOf(text: string): number {
    if (text === '') return noText
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(text, number)
      this.#length += text.length
    }
    return number
  }

  #addTo(cell: number, number: number): void {
    this.#cells[cell] ??= new Set()
    const numbers = this.#cells[cell]
    if (number === noText) return
    const sizeBefore = numbers.size
    numbers.add(number)
    this.#pairCount += numbers.size - sizeBefore
  }
}

/** In the place of a number for the empty text. */
const noText = -1
