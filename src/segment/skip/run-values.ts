/**
 * How many records of each block of a run have each value of an attribute, of attributes with few values:
 * each text once.
 *
 *     ┌───────────────┬─────────────────────────┬───────────────┬──────────────────────────────┬─────────┐
 *     │ attributes    │ of each attribute       │ lengths       │ of each attribute, of each   │ texts   │
 *     │ <u32>         │ number, values <u32>    │ <u32> of each │ block: counts <u32> of each  │ utf-8   │
 *     └───────────────┴─────────────────────────┴───────────────┴──────────────────────────────┴─────────┘
 *
 * Attributes stand in the order of their numbers in the skip index. Empty when there is no such attribute.
 */
import { countedValuesMax, type ValueCounts } from '../../columns/column.ts'
import { offsetsFrom, PlainColumn } from '../../columns/plain.ts'

/** Bytes of all values of an attribute in a run at most, of which there are no more than a block may
 *  have. */
const textBytesMax = 4_096

/** The values of each attribute of a block; undefined where there were too many to count. */
export type BlockValues = ReadonlyMap<string, ValueCounts | undefined>

/** `names`: the attributes of the run in the order of their numbers. */
export function encodeValues(blocks: readonly BlockValues[], names: readonly string[]): Buffer {
  const told = names.flatMap((name, number) => {
    const tables = gather(blocks, name)
    return tables === undefined ? [] : [{ number, ...tables }]
  })
  if (told.length === 0) return Buffer.alloc(0)
  const integers = Uint32Array.from([
    told.length,
    ...told.flatMap(({ number, texts }) => [number, texts.length]),
    ...told.flatMap(({ texts }) => texts.map(text => text.length)),
    ...told.flatMap(({ counts }) => counts.flatMap(ofBlock => [...ofBlock])),
  ])
  return Buffer.concat([Buffer.from(integers.buffer), ...told.flatMap(({ texts }) => texts)])
}

/** All values of an attribute and, of each block, how many records have each. */
function gather(blocks: readonly BlockValues[], name: string) {
  const numberOf = new Map<string, number>()
  const texts: Buffer[] = []
  const found: [block: number, value: number, count: number][] = []
  for (const [block, values] of blocks.entries()) {
    if (!values.has(name)) continue
    const own = values.get(name)
    if (own === undefined) return undefined
    for (const [i, count] of own.counts.entries()) {
      const { offsets, bytes } = own.texts
      const text = bytes.subarray(offsets[i], offsets[i + 1])
      const key = text.toString('latin1')
      let number = numberOf.get(key)
      if (number === undefined) {
        number = texts.push(text) - 1
        numberOf.set(key, number)
      }
      found.push([block, number, count])
    }
  }
  const textBytes = texts.reduce((sum, { length }) => sum + length, 0)
  if (texts.length > countedValuesMax || textBytes > textBytesMax) return undefined
  const counts = blocks.map(() => new Uint32Array(texts.length))
  for (const [block, value, count] of found) counts[block]![value] = count
  return { texts, counts }
}

/** The values of one attribute of a run. */
export interface AttributeValues {
  /** Each once, in no particular order. */
  readonly texts: PlainColumn
  /** Of each block, how many of its records have each of them. */
  readonly counts: readonly Uint32Array[]
}

export class RunValues {
  readonly #byNumber = new Map<number, AttributeValues>()
  readonly #bytes: number

  /**
   * `bytes`: aligned for numbers of 32 bits; `recordCounts`: of each block. Throws a RangeError for what
   * `encodeValues` did not make.
   */
  constructor(bytes: Buffer, recordCounts: readonly number[], nameCount: number) {
    this.#bytes = bytes.length
    if (bytes.length === 0) return
    const integers = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4))
    let at = 0
    const take = (count: number) => {
      if (count > integers.length - at) throw new RangeError('too short for its values')
      at += count
      return integers.subarray(at - count, at)
    }
    const [attributeCount] = take(1) as unknown as [number]
    if (attributeCount > nameCount) throw new RangeError('there are not so many attributes')
    const attributes = take(2 * attributeCount)
    const lengths = Array.from({ length: attributeCount }, (_, i) => take(attributes[2 * i + 1]!))
    const counts = lengths.map(({ length }) => recordCounts.map(() => take(length)))
    let start = 4 * at
    for (const [i, ofTexts] of lengths.entries()) {
      const number = attributes[2 * i]!
      if (number >= nameCount || this.#byNumber.has(number)) {
        throw new RangeError('there is no such attribute')
      }
      checkCounts(counts[i]!, recordCounts)
      const offsets = offsetsFrom(ofTexts)
      const end = start + offsets.at(-1)!
      const texts = new PlainColumn({ offsets, bytes: bytes.subarray(start, end) })
      this.#byNumber.set(number, { texts, counts: counts[i]! })
      start = end
    }
    if (start !== bytes.length) throw new RangeError('another length than its values have')
  }

  get heldBytes(): number {
    return this.#bytes + 500 * this.#byNumber.size
  }

  /** The values of the attribute with that number in the skip index; undefined: not in the index. */
  of(number: number): AttributeValues | undefined {
    return this.#byNumber.get(number)
  }
}

function checkCounts(counts: readonly Uint32Array[], recordCounts: readonly number[]): void {
  const isPossible = counts.every(
    (ofBlock, block) => ofBlock.reduce((sum, count) => sum + count, 0) <= recordCounts[block]!,
  )
  if (!isPossible) throw new RangeError('more values than the block has records')
}
