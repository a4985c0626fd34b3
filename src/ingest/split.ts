/**
 * Finds the events in a body that holds many: where each begins and ends, and what is none.
 *
 * Two forms, distinguished by the first byte. After `[`, the body is an array of events (or several, one
 * after the other), also when it is all of an object `{"logs":[…]}`, as pino-http-send posts it.
 * Otherwise every value at the top is an event, whatever is between them: NDJSON, concatenated and
 * pretty-printed JSON are one and the same to it.
 *
 * One bad event must not cost another, so after a mistake the question is where to continue:
 *
 * - Where brackets balance, the value ends there, however wrong it is inside.
 * - A value that is torn costs the lines up to the next likely event: see `resume.ts`.
 * - An array that is torn keeps what was read; its rest is one problem.
 * - Outside an array, a line that begins with neither a bracket nor JSON is one problem, not one for
 *   each word; after an event, such text costs the line up to the next event: see `stray.ts`. A comma
 *   or bracket too many is a problem by itself; a comma too few is none.
 */

import type { ProblemError } from '../problems.ts'
import { byte, isOpener, skipSpace, trimSpace } from './bytes.ts'
import type { ObjectReader } from './direct/reader.ts'
import type { JsonReader } from './json.ts'
import { findMistake } from './locate.ts'
import { findResumption, lineEnd } from './resume.ts'
import { isWordByte, tokenEnd } from './scan.ts'
import { StrayText } from './stray.ts'
import { findWrapped } from './wrapped.ts'

export class EventSplitter {
  /** The event that `next` found. */
  start = 0
  end = 0
  problem: ProblemError | undefined
  /**
   * Whether the direct reader has just read it; otherwise the scanner has scanned it, or it is a
   * problem.
   */
  isDirect = false

  readonly #reader: JsonReader
  readonly #direct: ObjectReader | undefined
  readonly #eventBytesMax: number
  readonly #body: Buffer
  readonly #bodyEnd: number
  readonly #isArrayForm: boolean
  readonly #strayText: StrayText
  #offset: number
  /** What came last inside an array of events; undefined outside of one. */
  #previous: 'bracket' | 'comma' | 'value' | undefined
  /** Once lines are known to be events, no value is looked for beyond its line. */
  #isLineDelimited = false
  /** Where the line that was looked at last ends. */
  #lineEnd = -1
  /** The scalars of a line that is not in an array are known to be JSON up to here. */
  #soundEnd = 0

  /** Without `direct`, or beyond `eventBytesMax`, no event is read directly. */
  constructor(reader: JsonReader, direct?: ObjectReader, eventBytesMax = Number.POSITIVE_INFINITY) {
    this.#reader = reader
    this.#direct = direct
    this.#eventBytesMax = eventBytesMax
    this.#body = reader.body
    const { start, end } = findWrapped(reader) ?? reader
    this.#bodyEnd = end
    this.#offset = start
    this.#isArrayForm = reader.body[start] === byte.bracketOpen
    this.#strayText = new StrayText(reader)
  }

  /** Goes to the next event or problem; false at the end of the body. */
  next(): boolean {
    this.problem = undefined
    this.isDirect = false
    for (;;) {
      const offset = skipSpace(this.#body, this.#offset, this.#bodyEnd)
      if (offset >= this.#bodyEnd) {
        return this.#previous !== undefined && this.#leaveTornArray()
      }
      const current = this.#body[offset]!
      if (!this.#isArrayForm || !this.#isArraySyntax(current)) {
        this.#takeValue(offset, current)
        return true
      }
      this.#offset = offset + 1
      if (this.#passArraySyntax(current, offset)) {
        return true
      }
    }
  }

  #isArraySyntax(current: number): boolean {
    return this.#previous === undefined
      ? current === byte.bracketOpen
      : current === byte.comma || current === byte.bracketClose
  }

  /** Passes a bracket or comma around events; true when it shows that an event is missing. */
  #passArraySyntax(current: number, offset: number): boolean {
    const isMissing =
      (current === byte.comma && this.#previous !== 'value') ||
      (current === byte.bracketClose && this.#previous === 'comma')
    if (current === byte.comma) {
      this.#previous = 'comma'
    } else {
      this.#previous = current === byte.bracketOpen ? 'bracket' : undefined
    }
    if (isMissing) {
      this.start = offset
      this.end = offset + 1
      this.problem = this.#reader.syntaxProblem(offset, offset + 1)
    }
    return isMissing
  }

  #leaveTornArray(): true {
    this.#previous = undefined
    this.start = this.#bodyEnd
    this.end = this.#bodyEnd
    this.#offset = this.#bodyEnd
    const detail = 'expected "]" at the end of the array, found the end of the text'
    this.problem = this.#reader.problem('json_invalid', detail, this.#bodyEnd)
    return true
  }

  #takeValue(start: number, first: number): void {
    const isInArray = this.#previous !== undefined
    if (isInArray) {
      this.#previous = 'value'
    }
    this.start = start
    if (!isOpener(first) && !(isInArray && first === byte.quote)) {
      this.end = this.#scalarEnd(start, isInArray)
      this.#reader.scanner.scan(start, this.end)
      this.#offset = this.end
      if (isInArray && this.end === this.#body.length) {
        this.#leaveTornArray() // A number that is cut off would be another number.
      }
      return
    }
    const limit = this.#isLineDelimited ? this.#lineEndAfter(start) : this.#bodyEnd
    if (first === byte.braceOpen && this.#readDirectly(start, limit)) {
      return
    }
    const { scanner } = this.#reader
    scanner.scan(start, limit)
    this.end = scanner.end
    this.#offset = scanner.end
    if (!scanner.isClosed) {
      this.#skipTorn(start, scanner.end)
    }
  }

  #readDirectly(start: number, limit: number): boolean {
    const { isKnownUtf8 } = this.#reader
    const end = Math.min(limit, start + this.#eventBytesMax)
    const after = this.#direct?.read(this.#body, start, end, isKnownUtf8) ?? -1
    this.isDirect = after >= 0
    if (this.isDirect) {
      this.end = after
      this.#offset = after
    }
    return this.isDirect
  }

  /** Makes one problem of the torn value at `start` and all up to where events may continue. */
  #skipTorn(start: number, tornAt: number): void {
    const isInArray = this.#previous !== undefined
    const resumption = findResumption(this.#reader, start, tornAt, isInArray)
    if (resumption === undefined) {
      this.#offset = this.#bodyEnd
      this.#previous = undefined
    } else {
      this.#offset = resumption.offset
      this.#isLineDelimited ||= resumption.showsLines
    }
    this.end = trimSpace(this.#body, start, this.#offset)
    if (findMistake(this.#body, start, this.end) === undefined) {
      // Not torn: a value of several lines in a body that otherwise has one line for each.
      this.#reader.scanner.scan(start, this.end)
      return
    }
    this.problem = this.#reader.unreadableProblem(start, this.end)
  }

  /** Where the number, word, string or stray punctuation at `start` ends as an event or problem. */
  #scalarEnd(start: number, isInArray: boolean): number {
    const body = this.#body
    if (!isWordByte(body[start]) && body[start] !== byte.quote) {
      return start + 1
    }
    if (isInArray) {
      return tokenEnd(body, start, this.#bodyEnd)
    }
    const end = this.#lineEndAfter(start)
    if (this.#areSound(start, end)) return this.#soundScalarEnd(start, end)
    return this.#beginsLine(start) ? trimSpace(body, start, end) : this.#strayText.end(start, end)
  }

  /** Whether nothing but white space is before `start`, the next value, in its line. */
  #beginsLine(start: number): boolean {
    const previousEnd = this.#offset
    const isFirst = previousEnd === this.#reader.start
    return isFirst || this.#body.subarray(previousEnd, start).includes(byte.newline)
  }

  /** Looks for a line's end once, however many events the line has. */
  #lineEndAfter(start: number): number {
    if (start >= this.#lineEnd) {
      this.#lineEnd = Math.min(lineEnd(this.#body, start), this.#bodyEnd)
    }
    return this.#lineEnd
  }

  /** Whether the scalars from `start` up to a bracket or the line's end are all JSON. */
  #areSound(start: number, end: number): boolean {
    let offset = start
    while (offset >= this.#soundEnd && offset < end && !isOpener(this.#body[offset])) {
      const next = this.#soundScalarEnd(offset, end)
      if (findMistake(this.#body, offset, next) !== undefined) {
        return false
      }
      offset = skipSpace(this.#body, next, end)
    }
    this.#soundEnd = Math.max(this.#soundEnd, offset)
    return true
  }

  #soundScalarEnd(start: number, end: number): number {
    if (this.#body[start] !== byte.quote) {
      return tokenEnd(this.#body, start, end)
    }
    this.#reader.scanner.scan(start, end)
    return this.#reader.scanner.end
  }
}
