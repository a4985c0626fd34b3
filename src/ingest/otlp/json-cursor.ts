/**
 * Walks through a JSON body without reading it as a whole: into the objects and arrays that the
 * caller knows, and past or through everything else, value by value. So a large body costs no
 * more memory than its largest record.
 *
 * A null stands for what is absent, as everywhere in protobuf's JSON.
 */

import { ProblemError } from '../../problems.ts'
import { byte, isDigit, isOpener, skipSpace } from '../bytes.ts'
import { emptyProblem, JsonReader } from '../json.ts'
import { findMistake } from '../locate.ts'
import { tokenEnd } from '../scan.ts'

/** A list, and what stands beside it about all of its elements. */
export interface DescribedList<About, Found> {
  readonly about: string
  readonly list: string
  readonly read: (value: unknown) => About
  readonly element: (about: About) => Iterable<Found>
}

export class JsonCursor {
  /** Where the next value begins, or white space before it. */
  offset: number
  readonly #reader: JsonReader
  readonly #body: Buffer
  readonly #end: number
  readonly #valueBytesMax: number

  /** `valueBytesMax` bounds each value that is read on the way. Throws `body_empty`. */
  constructor(body: Buffer, depthMax: number, valueBytesMax: number) {
    this.#valueBytesMax = valueBytesMax
    this.#reader = new JsonReader(body, 'many values', depthMax)
    this.#body = body
    this.#end = this.#reader.end
    this.offset = this.#reader.start
    if (this.offset >= this.#end) throw emptyProblem()
  }

  /**
   * The names of the members of the object that begins here; none for null. The caller passes each
   * value (all methods do) before it takes the next name. `field` names the object in problems.
   */
  *members(field: string): Generator<string, void> {
    if (!this.#open(byte.braceOpen, 'an object', field)) return
    for (let isFirst = true; !this.#closes(byte.braceClose, isFirst); isFirst = false) {
      const name = this.value()
      if (typeof name !== 'string') throw this.#syntaxProblem(field)
      this.#expect(byte.colon, field)
      yield name
    }
  }

  /** As `members`, for the elements of an array. */
  *elements(field: string): Generator<void, void> {
    if (!this.#open(byte.bracketOpen, 'an array', field)) return
    for (let isFirst = true; !this.#closes(byte.bracketClose, isFirst); isFirst = false) yield
  }

  /**
   * Walks through the object that begins here, whose member `about` is about each element of its member
   * `list`, and mostly stands before that; where it does not, the elements are passed and come back to.
   * `read` is given what it says, undefined when it is absent; `element` is called at each element.
   */
  *described<About extends object, Found>(
    field: string,
    { about: aboutName, list, read, element }: DescribedList<About, Found>,
  ): Generator<Found, void> {
    const passed: number[] = []
    let about: About | undefined
    for (const name of this.members(field)) {
      if (name === aboutName) {
        about = read(this.value())
      } else if (name === list && about !== undefined) {
        for (const _ of this.elements(name)) yield* element(about)
      } else {
        if (name === list) passed.push(this.offset)
        this.skip()
      }
    }
    const end = this.offset
    for (const offset of passed) {
      about ??= read(undefined)
      this.offset = offset
      for (const _ of this.elements(list)) yield* element(about)
    }
    this.offset = end
  }

  /** Skips the value that begins here, and returns where it is; `read` may take it later. */
  pass(): { readonly start: number; readonly end: number } {
    const { scanner } = this.#reader
    const start = this.#skipSpace()
    const first = this.#body[start]
    const isScanned =
      isOpener(first) || first === byte.quote || first === byte.minus || isDigit(first)
    // The scanner goes past what is no value up to its end; so words are told where theirs is.
    const end = isScanned ? this.#end : Math.min(tokenEnd(this.#body, start, this.#end), this.#end)
    scanner.scan(start, end)
    if (isScanned && !scanner.isClosed) throw this.#syntaxProblem('body')
    this.offset = scanner.end
    return { start, end: this.offset }
  }

  /** The value that was passed last. Throws a ProblemError with its place. */
  read({ start, end }: { readonly start: number; readonly end: number }): unknown {
    return this.#reader.read(start, end)
  }

  /** Passes and reads the value that begins here. Throws `body_too_large`. */
  value(): unknown {
    const { start, end } = this.pass()
    if (end - start > this.#valueBytesMax) {
      const detail = `expected at most ${this.#valueBytesMax} bytes outside of a log record`
      throw this.#reader.problem('body_too_large', detail, start)
    }
    return this.read({ start, end })
  }

  /**
   * Passes the value that begins here. Inside of brackets it may be no JSON: that it ends is
   * enough.
   */
  skip(): void {
    const start = this.#skipSpace()
    if (isOpener(this.#body[start])) this.pass()
    else this.value()
  }

  /** Throws `json_invalid` unless only white space is left. */
  requireEnd(): void {
    if (this.#skipSpace() < this.#end) throw this.#syntaxProblem('body')
  }

  /** Whether there is one: false for null. */
  #open(opener: number, expected: string, field: string): boolean {
    const start = this.#skipSpace()
    if (this.#body[start] === opener) {
      this.offset = start + 1
      return true
    }
    if (this.value() === null) return false
    throw this.#syntaxProblem(field, expected)
  }

  /** Passes the bracket at the end, or else the comma before the next. */
  #closes(closer: number, isFirst: boolean): boolean {
    const offset = this.#skipSpace()
    if (this.#body[offset] === closer && offset < this.#end) {
      this.offset = offset + 1
      return true
    }
    if (!isFirst) this.#expect(byte.comma, 'body')
    return false
  }

  #expect(character: number, field: string): void {
    const offset = this.#skipSpace()
    if (this.#body[offset] !== character || offset >= this.#end) throw this.#syntaxProblem(field)
    this.offset = offset + 1
  }

  #skipSpace(): number {
    return skipSpace(this.#body, this.offset, this.#end)
  }

  /** Why the body is not JSON; or, when it is, that `field` is not what was expected. */
  #syntaxProblem(field: string, expected = 'JSON'): ProblemError {
    const { start } = this.#reader
    if (findMistake(this.#body, start, this.#end) !== undefined) {
      return this.#reader.unreadableProblem(start, this.#end)
    }
    return new ProblemError('field_invalid', `"${field}" must be ${expected}`, { field })
  }
}
