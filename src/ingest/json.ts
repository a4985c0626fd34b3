/**
 * Bytes to JSON values, or a refusal that names the place.
 *
 * What `JSON.parse` alone would change without a word is refused or kept instead: bytes that are not
 * UTF-8 and halves of surrogate pairs are refused (they would become U+FFFD on disk), numbers that a
 * double cannot hold are kept as `RawNumber`, and names keep their order (`ordered-json.ts`). What would
 * exhaust the stack later is refused before it is parsed. Two accepted differences: `-0` is read as `0`,
 * and of names that appear twice in an object the last one counts.
 */

import { isUtf8 } from 'node:buffer'
import { limits } from '../limits.ts'
import { type ProblemCode, ProblemError } from '../problems.ts'
import { byteOrderMarkBytes, skipSpace, trimSpace } from './bytes.ts'
import { describeAt, findMistake } from './locate.ts'
import { parseWithRawNumbers } from './numbers.ts'
import { parseInOrder } from './ordered-json.ts'
import { findBadUtf8, PositionCounter } from './position.ts'
import { ValueScanner } from './scan.ts'

/**
 * Reads `body` as one JSON value; a byte order mark before it is skipped.
 *
 * Refuses with `body_empty`, `utf8_invalid` (also for half of a surrogate pair), `json_too_deep` or
 * `json_invalid`, in this order; all but the first with the position.
 */
export function parseEvent(body: Buffer): unknown {
  const reader = new JsonReader(body, 'one value')
  if (reader.start >= reader.end) {
    throw emptyProblem()
  }
  reader.scanner.scan(reader.start, reader.end)
  return reader.read(reader.start, reader.end)
}

export function emptyProblem(): ProblemError {
  return new ProblemError('body_empty', 'expected JSON, the body is empty')
}

/** Reads values out of one body, which must not change meanwhile. */
export class JsonReader {
  readonly body: Buffer
  readonly scanner: ValueScanner
  /** The part of the body without byte order mark and surrounding white space. */
  readonly start: number
  readonly end: number
  readonly #depthMax: number
  /** Whether all of the body is known to be UTF-8. */
  readonly isKnownUtf8: boolean
  #positions: PositionCounter | undefined

  /** With many values, all of the body is checked for UTF-8 at once: cheaper than one by one. */
  constructor(
    body: Buffer,
    holds: 'one value' | 'many values',
    depthMax: number = limits.eventDepthMax,
  ) {
    this.body = body
    this.#depthMax = depthMax
    this.scanner = new ValueScanner(body, holds === 'one value' ? 'stop' : 'go on', depthMax)
    this.isKnownUtf8 = holds === 'many values' && isUtf8(body)
    this.end = trimSpace(body, 0, body.length)
    this.start = Math.min(skipSpace(body, byteOrderMarkBytes(body), this.end), this.end)
  }

  /**
   * The value between `start` and `end`. The scanner must have scanned from `start` last; it may
   * have stopped before `end`, which then is for `JSON.parse` to refuse.
   */
  read(start: number, end: number): unknown {
    const { body, scanner } = this
    const isAscii = scanner.isAscii && scanner.end === end
    const utf8Problem = isAscii ? undefined : this.#findUtf8Problem(start, end)
    if (utf8Problem !== undefined) {
      throw utf8Problem
    }
    if (scanner.tooDeepOffset >= 0) {
      const detail = `expected at most ${this.#depthMax} levels of nesting, found more`
      throw this.problem('json_too_deep', detail, scanner.tooDeepOffset)
    }
    const text = body.toString(isAscii ? 'latin1' : 'utf8', start, end)
    let value: unknown
    try {
      value = scanner.hasInexactNumber ? parseWithRawNumbers(text) : JSON.parse(text)
      if (scanner.mayReorder) value = parseInOrder(text)
    } catch (cause) {
      throw this.syntaxProblem(start, end, cause)
    }
    if (scanner.hasSurrogateEscape) {
      this.#refuseLoneSurrogates(text, start)
    }
    return value
  }

  /** Why the text between `start` and `end`, known not to be JSON, cannot be read. */
  unreadableProblem(start: number, end: number): ProblemError {
    return this.#findUtf8Problem(start, end) ?? this.syntaxProblem(start, end)
  }

  /** Why the text between `start` and `end` is not JSON. */
  syntaxProblem(start: number, end: number, cause?: unknown): ProblemError {
    const mistake = findMistake(this.body, start, end)
    if (mistake === undefined) {
      throw new Error('JSON.parse refused what its grammar allows', { cause })
    }
    const found = describeAt(this.body, mistake.offset, end)
    const detail = `expected ${mistake.expected}, found ${found}`
    return this.problem('json_invalid', detail, mistake.offset)
  }

  /** `offset` counts in bytes from the start of the body. */
  problem(code: ProblemCode, detail: string, offset: number): ProblemError {
    this.#positions ??= new PositionCounter(this.body)
    return new ProblemError(code, detail, { position: this.#positions.at(offset) })
  }

  #findUtf8Problem(start: number, end: number): ProblemError | undefined {
    if (this.isKnownUtf8 || isUtf8(this.body.subarray(start, end))) {
      return undefined
    }
    const offset = findBadUtf8(this.body, start, end)
    return this.problem('utf8_invalid', `expected UTF-8, byte ${offset} is not`, offset)
  }

  #refuseLoneSurrogates(text: string, start: number): void {
    for (const match of text.matchAll(surrogateEscape)) {
      if (match[1] !== undefined) {
        const detail = `expected a pair of surrogates, "\\${match[1]}" stands alone and is no text`
        const offset = start + Buffer.byteLength(text.slice(0, match.index))
        throw this.problem('utf8_invalid', detail, offset)
      }
    }
  }
}

/** A pair of surrogate escapes, a lone one (captured), or any other escape, in JSON known good. */
const surrogateEscape =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/g
