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

/** Numbers of a place: the attribute's own, how many values it has, and where their lengths and counts begin
 *  among the integers, and their texts among the bytes. */
const placeNumbers = 5

/** Of an attribute that was asked for, beside the bytes of all. */
const openedBytes = 500

export class RunValues {
  readonly #bytes: Buffer
  readonly #integers: Uint32Array
  readonly #blockCount: number
  /** Of each attribute, in the order of their numbers: a run has a dozen, of which one or two are ever asked
   *  for, and a thousand runs are open. */
  readonly #places: readonly number[]
  /** Those that were asked for. */
  #opened: Map<number, AttributeValues> | undefined

  /**
   * `bytes`: aligned for numbers of 32 bits, and stay in use; `recordCounts`: of each block. Throws a
   * RangeError for what `encodeValues` did not make.
   */
  constructor(bytes: Buffer, recordCounts: readonly number[], nameCount: number) {
    this.#bytes = bytes
    this.#integers = new Uint32Array(
      bytes.buffer,
      bytes.byteOffset,
      Math.floor(bytes.length / Uint32Array.BYTES_PER_ELEMENT),
    )
    this.#blockCount = recordCounts.length
    this.#places = bytes.length === 0 ? [] : this.#findPlaces(nameCount)
    for (let place = 0; place < this.#places.length; place += placeNumbers) {
      this.#checkCounts(place, recordCounts)
    }
  }

  get heldBytes(): number {
    return this.#bytes.length + openedBytes * (this.#opened?.size ?? 0)
  }

  /** The values of the attribute with that number in the skip index; undefined: not in the index. */
  of(number: number): AttributeValues | undefined {
    const known = this.#opened?.get(number)
    if (known !== undefined) return known
    for (let place = 0; place < this.#places.length; place += placeNumbers) {
      if (this.#places[place] !== number) continue
      this.#opened ??= new Map()
      const opened = this.#open(place)
      this.#opened.set(number, opened)
      return opened
    }
    return undefined
  }

  #findPlaces(nameCount: number): number[] {
    const integers = this.#integers
    const attributeCount = integers[0] ?? 0
    if (attributeCount > nameCount) throw new RangeError('there are not so many attributes')
    let at = 1 + 2 * attributeCount
    const takeEach = (width: number) => {
      const begins: number[] = []
      for (let i = 0; i < attributeCount; i++) {
        begins.push(at)
        at += width * (integers[2 + 2 * i] ?? 0)
      }
      return begins
    }
    const lengthsAt = takeEach(1)
    const countsAt = takeEach(this.#blockCount)
    if (at > integers.length) throw new RangeError('too short for its values')
    const places: number[] = []
    let start = at * Uint32Array.BYTES_PER_ELEMENT
    let previous = -1
    for (let i = 0; i < attributeCount; i++) {
      const number = integers[1 + 2 * i]!
      const valueCount = integers[2 + 2 * i]!
      const isNext = number > previous && number < nameCount
      if (!isNext) throw new RangeError('there is no such attribute')
      previous = number
      places.push(number, valueCount, lengthsAt[i]!, countsAt[i]!, start)
      start += sumOf(integers, lengthsAt[i]!, valueCount)
    }
    if (start !== this.#bytes.length) throw new RangeError('another length than its values have')
    return places
  }

  #checkCounts(place: number, recordCounts: readonly number[]): void {
    const valueCount = this.#places[place + 1]!
    let at = this.#places[place + 3]!
    for (const recordCount of recordCounts) {
      if (sumOf(this.#integers, at, valueCount) > recordCount) {
        throw new RangeError('more values than the block has records')
      }
      at += valueCount
    }
  }

  #open(place: number): AttributeValues {
    const [, valueCount, lengthsAt, countsAt, start] = this.#places.slice(place) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const lengths = this.#integers.subarray(lengthsAt, lengthsAt + valueCount)
    const offsets = offsetsFrom(lengths)
    const bytes = this.#bytes.subarray(start, start + offsets[valueCount]!)
    const counts: Uint32Array[] = []
    for (let block = 0; block < this.#blockCount; block++) {
      const at = countsAt + block * valueCount
      counts.push(this.#integers.subarray(at, at + valueCount))
    }
    return { texts: new PlainColumn({ offsets, bytes }), counts }
  }
}

function sumOf(integers: Uint32Array, at: number, count: number): number {
  let sum = 0
  for (let i = at; i < at + count; i++) sum += integers[i]!
  return sum
}
