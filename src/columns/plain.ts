/**
 * Texts as they are: the column of a journal's batch, and of the encoding `text`. Also the plain way
 * with which every cleverer column is compared.
 */
import type { Condition } from '../match/condition.ts'
import type { SearchableColumn, TextColumn, ValueCodes } from './column.ts'
import { findDistinct } from './distinct.ts'

export class PlainColumn implements SearchableColumn {
  readonly texts: TextColumn

  constructor(texts: TextColumn) {
    this.texts = texts
  }

  get valueCount(): number {
    return this.texts.offsets.length - 1
  }

  get heldBytes(): number {
    return this.texts.offsets.byteLength + this.texts.bytes.length
  }

  textAt(index: number): string {
    const { offsets, bytes } = this.texts
    return bytes.toString('utf8', offsets[index]!, offsets[index + 1]!)
  }

  codes(): ValueCodes | undefined {
    const distinct = findDistinct(this.texts)
    if (distinct === undefined) return undefined
    const { codes, firsts } = distinct
    return { codes, codeCount: firsts.length, textOf: code => this.textAt(firsts[code]!) }
  }

  toTextColumn(): TextColumn {
    return this.texts
  }

  markHits({ test }: Condition, hits: Uint8Array, isWanted: Uint8Array | undefined): void {
    if (test.kind === 'equals') markEqual(test.bytes, this.texts, hits)
    else if (test.kind === 'contains') markContaining(test.bytes, this.texts, hits)
    else {
      for (let i = 0; i < hits.length; i++) {
        const isAsked = isWanted === undefined || isWanted[i] === 1
        if (isAsked && test.pattern.matches(this.textAt(i))) hits[i] = 1
      }
    }
  }
}

/** Offsets of texts whose lengths in bytes are given, or what these have beyond the least one. */
export function offsetsFrom(lengths: ArrayLike<number>, leastLength = 0): Uint32Array {
  const offsets = new Uint32Array(lengths.length + 1)
  let offset = 0
  for (let i = 0; i < lengths.length; i++) {
    offset += leastLength + lengths[i]!
    offsets[i + 1] = offset
  }
  return offsets
}

function markEqual(wanted: Buffer, column: TextColumn, hits: Uint8Array): void {
  const { offsets, bytes } = column
  for (let i = 0; i < hits.length; i++) {
    const start = offsets[i]!
    const end = offsets[i + 1]!
    if (end - start !== wanted.length) continue
    if (wanted.length === 0 || bytes[start] === wanted[0]) {
      if (bytes.compare(wanted, 0, wanted.length, start, end) === 0) hits[i] = 1
    }
  }
}

/** One search over all values end to end; a find that spans two values is none. */
function markContaining(needle: Buffer, column: TextColumn, hits: Uint8Array): void {
  const { offsets, bytes } = column
  if (needle.length === 0) {
    hits.fill(1)
    return
  }
  let index = 0
  let at = bytes.indexOf(needle)
  while (at !== -1) {
    while (offsets[index + 1]! <= at) index++
    const end = offsets[index + 1]!
    const isInside = at + needle.length <= end
    if (isInside) hits[index] = 1
    at = bytes.indexOf(needle, isInside ? end : at + 1)
  }
}
