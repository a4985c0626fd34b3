/**
 * Few distinct values in many records: the values once, and a small code per record.
 *
 * Chunk 0: the lengths of the distinct values (packed integers), then their bytes. Chunks from 1 on:
 * the codes in byte planes. Description: [distinct values, bytes of the packed lengths].
 * A test runs once per distinct value; then it is codes that are compared.
 */

import type { Condition } from '../match/condition.ts'
import { type Codes, countCodes, largestOf, markEqual, markVerdicts } from './codes.ts'
import {
  type ChunkSource,
  countedValuesMax,
  type EncodedColumn,
  type SearchableColumn,
  type TextColumn,
  type ValueCodes,
} from './column.ts'
import { parseDecimals } from './decimal.ts'
import { distinctMax, findDistinct } from './distinct.ts'
import { packIntegers, unpackIntegers } from './integers.ts'
import { offsetsFrom, PlainColumn } from './plain.ts'
import { joinPlanes, splitPlanes } from './planes.ts'
import { checkCount, checkLength, checkShape, readIntegers } from './shape.ts'

/** Undefined when more than half of the values, or more than 65,536, are distinct. */
export function encodeDictionary(values: TextColumn): EncodedColumn | undefined {
  const distinct = findDistinct(values)
  if (distinct === undefined) return undefined
  const { codes, firsts } = distinct
  const { offsets, bytes } = values
  const entryLengths = Array.from(firsts, first => offsets[first + 1]! - offsets[first]!)
  const lengths = packIntegers(entryLengths)
  const entries = Array.from(firsts, first => bytes.subarray(offsets[first], offsets[first + 1]))
  const encoded = {
    encoding: 'dictionary' as const,
    meta: [firsts.length, lengths.length],
    chunks: [Buffer.concat([lengths, ...entries]), ...splitPlanes(codes, firsts.length - 1)],
  }
  if (firsts.length > countedValuesMax) return encoded
  const texts = { offsets: offsetsFrom(entryLengths), bytes: Buffer.concat(entries) }
  const counts = new Uint32Array(firsts.length)
  for (let i = 0; i < codes.length; i++) counts[codes[i]!]!++
  return { ...encoded, values: { texts, counts } }
}

export function openDictionary(
  meta: unknown,
  valueCount: number,
  chunk: ChunkSource,
): SearchableColumn {
  checkCount('dictionary', valueCount)
  const fields = readIntegers('dictionary', meta, ['entryCount', 'lengthsBytes'])
  const [entryCount, lengthsBytes] = fields as [number, number]
  checkShape(
    entryCount >= Math.min(1, valueCount) && entryCount <= distinctMax && lengthsBytes >= 0,
    `dictionary column: cannot have ${entryCount} entries for ${valueCount} values`,
  )
  return new DictionaryColumn(entryCount, lengthsBytes, valueCount, chunk)
}

class DictionaryColumn implements SearchableColumn {
  readonly valueCount: number
  readonly #entryCount: number
  readonly #lengthsBytes: number
  readonly #chunk: ChunkSource
  #openedEntries: PlainColumn | undefined
  #openedCodes: Codes | undefined
  /** Whether each of the codes has an entry: seen when more than single ones are asked for. */
  #areChecked = false

  constructor(entryCount: number, lengthsBytes: number, valueCount: number, chunk: ChunkSource) {
    this.valueCount = valueCount
    this.#entryCount = entryCount
    this.#lengthsBytes = lengthsBytes
    this.#chunk = chunk
  }

  get heldBytes(): number {
    return (this.#openedEntries?.heldBytes ?? 0) + (this.#openedCodes?.byteLength ?? 0)
  }

  textAt(index: number): string {
    const code = this.#readCodes()[index]!
    checkShape(code < this.#entryCount, withoutEntry)
    return this.#entries.textAt(code)
  }

  markHits(condition: Condition, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    const verdicts = new Uint8Array(this.#entryCount)
    const isAsked = condition.test.kind === 'matches' ? this.#entriesOf(isWanted) : undefined
    this.#entries.markHits(condition, verdicts, isAsked)
    const first = verdicts.indexOf(1)
    if (first === -1) return
    if (!verdicts.includes(0)) hits.fill(1)
    else if (verdicts.indexOf(1, first + 1) === -1) markEqual(this.#codes, first, hits)
    else markVerdicts(this.#codes, verdicts, hits)
  }

  countValues(selected: Uint8Array, visit: (text: string, count: number) => void): void {
    const counts = countCodes(this.#codes, selected, this.#entryCount)
    for (let code = 0; code < counts.length; code++) {
      if (counts[code]! > 0) visit(this.#entries.textAt(code), counts[code]!)
    }
  }

  codes(): ValueCodes {
    const entries = this.#entries
    const textOf = (code: number) => entries.textAt(code)
    return { codes: this.#codes, codeCount: this.#entryCount, textOf }
  }

  numbers(): Float64Array {
    const entryNumbers = parseDecimals(this.#entries.texts)
    const codes = this.#codes
    const numbers = new Float64Array(codes.length)
    for (let i = 0; i < codes.length; i++) numbers[i] = entryNumbers[codes[i]!]!
    return numbers
  }

  toTextColumn(): TextColumn {
    const { offsets, bytes } = this.#entries.texts
    const codes = this.#codes
    const lengths = new Uint32Array(codes.length)
    for (let i = 0; i < codes.length; i++) {
      lengths[i] = offsets[codes[i]! + 1]! - offsets[codes[i]!]!
    }
    const textOffsets = offsetsFrom(lengths)
    const text = Buffer.allocUnsafeSlow(textOffsets[this.valueCount]!)
    for (let i = 0; i < codes.length; i++) {
      copyTo(text, textOffsets[i]!, bytes, offsets[codes[i]!]!, lengths[i]!)
    }
    return { offsets: textOffsets, bytes: text }
  }

  /** Entries that wanted values have: a regular expression costs more than finding them out. */
  #entriesOf(isWanted: Uint8Array | undefined): Uint8Array | undefined {
    if (isWanted === undefined) return undefined
    const isAsked = new Uint8Array(this.#entryCount)
    const codes = this.#codes
    for (let i = 0; i < codes.length; i++) {
      if (isWanted[i] === 1) isAsked[codes[i]!] = 1
    }
    return isAsked
  }

  get #entries(): PlainColumn {
    if (this.#openedEntries === undefined) {
      const chunk = this.#chunk(0)
      checkShape(chunk.length >= this.#lengthsBytes, 'dictionary column: chunk 0 is too short')
      const packed = chunk.subarray(0, this.#lengthsBytes)
      const bytes = chunk.subarray(this.#lengthsBytes)
      const offsets = offsetsFrom(unpackIntegers(packed, this.#entryCount))
      checkLength('dictionary', bytes, offsets[this.#entryCount]!)
      this.#openedEntries = new PlainColumn({ offsets, bytes })
    }
    return this.#openedEntries
  }

  get #codes(): Codes {
    const codes = this.#readCodes()
    if (!this.#areChecked) {
      const hasEntries = this.valueCount === 0 || largestOf(codes) < this.#entryCount
      checkShape(hasEntries, withoutEntry)
      this.#areChecked = true
    }
    return codes
  }

  #readCodes(): Codes {
    this.#openedCodes ??= joinPlanes(this.valueCount, this.#entryCount - 1, (index, isLent) =>
      this.#chunk(index + 1, isLent),
    ) as Codes
    return this.#openedCodes
  }
}

const withoutEntry = 'dictionary column: a code has no entry'

/** Bytes from which a call of `copy` is faster than a loop. */
const copyBytesMin = 64

function copyTo(target: Buffer, to: number, source: Buffer, from: number, length: number): void {
  if (length >= copyBytesMin) source.copy(target, to, from, from + length)
  else for (let i = 0; i < length; i++) target[to + i] = source[from + i]!
}
