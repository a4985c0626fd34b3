/**
 * Reads messages of protobuf from a body, field by field, and refuses what is not protobuf.
 *
 * `@bufbuild/protobuf` knows the wire format; what it leaves to generated code is done here: that
 * a field has the wire type it must have, that a message ends where it says, and that text is
 * UTF-8.
 */

import { isUtf8 } from 'node:buffer'
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { ProblemError } from '../../problems.ts'

/** From the first byte to the one after the last. */
export interface Range {
  readonly start: number
  readonly end: number
}

export class WireMessages {
  readonly #body: Buffer
  readonly #reader: BinaryReader
  #wireType: WireType = WireType.Varint

  constructor(body: Buffer) {
    this.#body = body
    this.#reader = new BinaryReader(body, textOf)
  }

  /**
   * Goes through the message in `range`, which must lie within the body. For each field `take` is
   * called with its number: it reads the value by one of the methods below and returns true, or
   * returns false for a field that it does not know, which is skipped.
   *
   * Throws `protobuf_invalid` with the place, or `utf8_invalid`.
   */
  read(range: Range, take: (field: number) => boolean): void {
    try {
      this.#goThrough(range, take)
    } catch (error) {
      throw isOfLibrary(error) ? this.#problem(error.message) : error
    }
  }

  /** A message in the one that is being read. */
  message(take: (field: number) => boolean): true {
    return this.inside(this.range(), take)
  }

  /** As `message`, of the one in `range`, which was passed just now. */
  inside(range: Range, take: (field: number) => boolean): true {
    this.#goThrough(range, take)
    return true
  }

  /**
   * Where the values of `field` lie in the message in `range`, one after the other: what is read in
   * between does not matter. `read` must have gone through that message before.
   */
  *ranges({ start, end }: Range, field: number): Generator<Range, void> {
    const reader = this.#reader
    for (let offset = start; offset < end; ) {
      reader.pos = offset
      const [number, wireType] = reader.tag()
      this.#wireType = wireType
      const range = number === field ? this.range() : undefined
      if (range === undefined) reader.skip(wireType, number)
      offset = reader.pos
      if (range !== undefined) yield range
    }
  }

  #goThrough({ start, end }: Range, take: (field: number) => boolean): void {
    const reader = this.#reader
    reader.pos = start
    while (reader.pos < end) {
      const [field, wireType] = reader.tag()
      this.#wireType = wireType
      if (!take(field)) reader.skip(wireType, field)
      if (reader.pos > end) throw this.#problem(`expected the message to end at byte ${end}`)
    }
  }

  /**
   * Where the value lies that has a length; it is passed. `read` refuses one that ends too late.
   */
  range(): Range {
    this.#require(WireType.LengthDelimited)
    const length = this.#reader.uint32()
    const start = this.#reader.pos
    this.#reader.pos = start + length
    return { start, end: start + length }
  }

  /** Passes a message, or a text, that is read later. */
  pass(): true {
    this.range()
    return true
  }

  text(): string {
    this.#require(WireType.LengthDelimited)
    return this.#reader.string()
  }

  /** The text in a range that `read` has passed. */
  textIn({ start, end }: Range): string {
    return textOf(this.#body.subarray(start, end))
  }

  bytes(): Uint8Array {
    this.#require(WireType.LengthDelimited)
    return this.#reader.bytes()
  }

  /** Of 32 bits; an enum is one too. */
  integer(): number {
    this.#require(WireType.Varint)
    return this.#reader.int32()
  }

  truth(): boolean {
    this.#require(WireType.Varint)
    return this.#reader.bool()
  }

  /** Signed, of 64 bits. */
  long(): bigint {
    this.#require(WireType.Varint)
    return BigInt(this.#reader.int64())
  }

  /** Unsigned, of 64 bits. */
  fixedLong(): bigint {
    this.#require(WireType.Bit64)
    return BigInt(this.#reader.fixed64())
  }

  double(): number {
    this.#require(WireType.Bit64)
    return this.#reader.double()
  }

  #require(wireType: WireType): void {
    if (this.#wireType !== wireType) {
      throw this.#problem(`expected wire type ${wireType}, found ${this.#wireType}`)
    }
  }

  #problem(what: string): ProblemError {
    return new ProblemError('protobuf_invalid', `at byte ${this.#reader.pos}: ${what}`)
  }
}

/** What the library throws; every other error is a mistake of ours. */
function isOfLibrary(error: unknown): error is Error {
  return error instanceof Error && [Error, RangeError].some(type => error.constructor === type)
}

function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new ProblemError('utf8_invalid', 'expected UTF-8, a text is not')
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
