/**
 * One value in all records: it is in the column's description, and there are no chunks.
 */
import type { Condition } from '../match/condition.ts'
import type {
  ChunkSource,
  EncodedColumn,
  SearchableColumn,
  TextColumn,
  ValueCodes,
} from './column.ts'
import { decimalOf } from './decimal.ts'
import { offsetsFrom, PlainColumn } from './plain.ts'
import { checkCount, checkShape } from './shape.ts'

/** UTF-8 bytes of a constant. Descriptions are read with every block, so a long one is better off in
 *  the chunk of a dictionary with a single entry. */
const constantBytesMax = 256

export function encodeConstant(values: TextColumn): EncodedColumn | undefined {
  const { offsets, bytes } = values
  const valueCount = offsets.length - 1
  if (valueCount === 0) return { encoding: 'constant', meta: Buffer.alloc(0), chunks: [] }
  const start = offsets[0]!
  const length = offsets[1]! - start
  if (length > constantBytesMax) return undefined
  for (let i = 1; i < valueCount; i++) {
    const from = offsets[i]!
    if (offsets[i + 1]! - from !== length) return undefined
    for (let at = 0; at < length; at++) {
      if (bytes[from + at] !== bytes[start + at]) return undefined
    }
  }
  // A copy, so that the description does not keep all values in memory.
  const value = Buffer.from(bytes.subarray(start, start + length))
  const texts = { offsets: Uint32Array.of(0, length), bytes: value }
  const counted = { texts, counts: Uint32Array.of(valueCount) }
  return { encoding: 'constant', meta: value, chunks: [], values: counted }
}

export function openConstant(
  meta: unknown,
  valueCount: number,
  _chunk: ChunkSource,
): SearchableColumn {
  checkCount('constant', valueCount)
  checkShape(meta instanceof Uint8Array, 'constant column: its description is not bytes')
  return new ConstantColumn(Buffer.from(meta), valueCount)
}

class ConstantColumn implements SearchableColumn {
  readonly valueCount: number
  readonly #value: PlainColumn
  readonly #text: string

  constructor(value: Buffer, valueCount: number) {
    this.valueCount = valueCount
    this.#value = new PlainColumn({ offsets: Uint32Array.of(0, value.length), bytes: value })
    this.#text = this.#value.textAt(0)
  }

  get heldBytes(): number {
    return this.#value.heldBytes
  }

  textAt(_index: number): string {
    return this.#text
  }

  markHits(condition: Condition, hits: Uint8Array, _isWanted: Uint8Array | undefined): void {
    const verdict = new Uint8Array(1)
    this.#value.markHits(condition, verdict, undefined)
    if (verdict[0] === 1) hits.fill(1)
  }

  countValues(selected: Uint8Array, visit: (text: string, count: number) => void): void {
    let count = 0
    for (let i = 0; i < selected.length; i++) count += selected[i]!
    if (count > 0) visit(this.#text, count)
  }

  codes(): ValueCodes {
    return { codes: new Uint8Array(this.valueCount), codeCount: 1, textOf: () => this.#text }
  }

  numbers(): Float64Array {
    return new Float64Array(this.valueCount).fill(decimalOf(this.#text))
  }

  toTextColumn(): TextColumn {
    const { bytes } = this.#value.texts
    return {
      offsets: offsetsFrom(new Uint32Array(this.valueCount).fill(bytes.length)),
      bytes: Buffer.alloc(bytes.length * this.valueCount, bytes),
    }
  }
}
