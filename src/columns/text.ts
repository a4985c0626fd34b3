/**
 * Texts as they are: their bytes end to end in chunk 0, their lengths in the chunks from 1 on. What
 * no other encoding holds in fewer bytes.
 *
 * Description: [total bytes, description of the lengths].
 */
import type { Condition } from '../match/condition.ts'
import type { ChunkSource, EncodedColumn, SearchableColumn, TextColumn } from './column.ts'
import { type NumberRange, type Numbers, packNumbers, rangeOf, unpackNumbers } from './numbers.ts'
import { PlainColumn } from './plain.ts'
import { checkCount, checkLength, checkShape } from './shape.ts'

/** Takes any values. The first chunk shares memory with them. */
export function encodeText(values: TextColumn): EncodedColumn {
  const { offsets, bytes } = values
  const lengths = new Float64Array(offsets.length - 1)
  for (let i = 0; i < lengths.length; i++) lengths[i] = offsets[i + 1]! - offsets[i]!
  const packed = packNumbers(lengths)
  const texts = bytes.subarray(offsets[0], offsets.at(-1))
  return {
    encoding: 'text',
    meta: [texts.length, packed.meta],
    chunks: [texts, ...packed.chunks],
  }
}

export function openText(meta: unknown, valueCount: number, chunk: ChunkSource): SearchableColumn {
  checkCount('text', valueCount)
  const isPair = Array.isArray(meta) && meta.length === 2 && Number.isInteger(meta[0])
  checkShape(isPair, 'text column: its description is not [bytes, description of the lengths]')
  return new StoredTexts(meta[0], meta[1], valueCount, chunk)
}

class StoredTexts implements SearchableColumn {
  readonly valueCount: number
  readonly #totalBytes: number
  readonly #lengthsMeta: unknown
  readonly #lengthRange: NumberRange
  readonly #chunk: ChunkSource
  #texts: PlainColumn | undefined

  constructor(totalBytes: number, lengthsMeta: unknown, valueCount: number, chunk: ChunkSource) {
    this.valueCount = valueCount
    this.#totalBytes = totalBytes
    this.#lengthsMeta = lengthsMeta
    this.#lengthRange = rangeOf(lengthsMeta)
    this.#chunk = chunk
  }

  get heldBytes(): number {
    return this.#texts?.heldBytes ?? 0
  }

  textAt(index: number): string {
    return this.#load().textAt(index)
  }

  markHits(condition: Condition, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    const { test } = condition
    const { min, max } = this.#lengthRange
    if (test.kind === 'equals' && (test.bytes.length < min || test.bytes.length > max)) return
    if (test.kind === 'contains' && test.bytes.length > max) return
    this.#load().markHits(condition, hits, isWanted)
  }

  toTextColumn(): TextColumn {
    return this.#load().texts
  }

  #load(): PlainColumn {
    if (this.#texts === undefined) {
      const lengths = unpackNumbers(this.#lengthsMeta, this.valueCount, (index, isLent) =>
        this.#chunk(index + 1, isLent),
      )
      const offsets = this.#offsetsOf(lengths)
      const bytes = this.#chunk(0)
      checkLength('text', bytes, this.#totalBytes)
      this.#texts = new PlainColumn({ offsets, bytes })
    }
    return this.#texts
  }

  #offsetsOf({ base, distances }: Numbers): Uint32Array {
    const offsets = new Uint32Array(distances.length + 1)
    let total = 0
    for (let i = 0; i < distances.length; i++) {
      total += base + distances[i]!
      offsets[i + 1] = total
    }
    checkShape(
      base >= 0 && total === this.#totalBytes,
      `text column: lengths add up to ${total}, not to ${this.#totalBytes}`,
    )
    return offsets
  }
}
