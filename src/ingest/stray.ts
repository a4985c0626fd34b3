/**
 * Where stray text after an event of the same line ends: `{"a":1} oops {"a":2}` costs `oops` and not
 * the event after it.
 *
 * The next event is where a bracket opens a value that is closed within the line, and is JSON. A
 * bracket in the text that opens none is passed over, for a price: looking for its end may take all of
 * the line, so a body has only so much of that; beyond it, the rest of a line is stray text.
 */

import { isOpener, trimSpace } from './bytes.ts'
import type { JsonReader } from './json.ts'
import { findMistake } from './locate.ts'

/** Bytes that may be looked at in vain, for each byte of the body. */
const vainShare = 8

export class StrayText {
  readonly #reader: JsonReader
  #vainBytesLeft: number

  constructor(reader: JsonReader) {
    this.#reader = reader
    this.#vainBytesLeft = vainShare * reader.body.length
  }

  /** The end of the stray text at `start`, in a line that ends at `lineEnd`; never `start` itself. */
  end(start: number, lineEnd: number): number {
    const { body, scanner } = this.#reader
    for (let offset = start + 1; offset < lineEnd; offset += 1) {
      if (!isOpener(body[offset])) continue
      scanner.scan(offset, lineEnd)
      const isEvent = scanner.isClosed && findMistake(body, offset, scanner.end) === undefined
      if (isEvent) return trimSpace(body, start, offset)
      this.#vainBytesLeft -= scanner.end - offset
      if (this.#vainBytesLeft < 0) break
    }
    return trimSpace(body, start, lineEnd)
  }
}
