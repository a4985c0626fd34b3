/**
 * Where to continue in a body of many events after one that is torn: a line cut off, a string or a
 * bracket never closed.
 *
 * The next event is likely where a line begins as the torn event's did: with the same indentation and
 * an opening bracket. Two places are looked at, in this order:
 *
 * 1. Among the lines that the torn value swallowed, the first that is whole by itself. A line of NDJSON
 *    cut off after a colon swallows the next line as its value. Such a line also shows that lines are
 *    events in this body. No printer of indented JSON puts a whole object on a line at the outermost
 *    indentation, unless it is an event.
 * 2. The first line after the byte at which the tear was noticed (or at it).
 */

import { byte, byteOrderMarkBytes, isOpener } from './bytes.ts'
import type { JsonReader } from './json.ts'

export interface Resumption {
  readonly offset: number
  /** Whether it shows that every event has a line of its own. */
  readonly showsLines: boolean
}

/**
 * `tornAt` is where the scanner stopped in the value from `start`. Undefined when no later line looks
 * like the start of an event.
 */
export function findResumption(
  reader: JsonReader,
  start: number,
  tornAt: number,
  isInArray: boolean,
): Resumption | undefined {
  const { body, end, scanner } = reader
  const indentation = indentationBefore(body, start)
  const isAlike = (offset: number) =>
    offset < end && (isOpener(body[start]) ? isOpener(body[offset]) : body[offset] === body[start])

  for (let line = lineEnd(body, start) + 1; line < end; line = lineEnd(body, line) + 1) {
    if (!hasIndentation(body, line, indentation) || !isAlike(line + indentation.length)) {
      continue
    }
    const offset = line + indentation.length
    if (offset >= tornAt) {
      return { offset, showsLines: false }
    }
    const stop = Math.min(lineEnd(body, offset), end)
    scanner.scan(offset, stop)
    if (scanner.isClosed && isLineDone(body, scanner.end, stop, isInArray)) {
      return { offset, showsLines: true }
    }
  }
  return undefined
}

/** The offset of the newline that ends the line of `offset`; the body's length in the last line. */
export function lineEnd(body: Buffer, offset: number): number {
  const newline = body.indexOf(byte.newline, offset)
  return newline < 0 ? body.length : newline
}

/** The spaces and tabs before `start`; none when it does not begin its line. */
function indentationBefore(body: Buffer, start: number): Buffer {
  const bodyStart = byteOrderMarkBytes(body)
  let offset = start
  while (offset > bodyStart && isBlank(body[offset - 1])) {
    offset -= 1
  }
  const beginsLine = offset === bodyStart || body[offset - 1] === byte.newline
  return body.subarray(beginsLine ? offset : start, start)
}

function hasIndentation(body: Buffer, line: number, indentation: Buffer): boolean {
  const end = line + indentation.length
  return end < body.length && body.compare(indentation, 0, indentation.length, line, end) === 0
}

/** Whether an event that ends at `offset` leaves nothing of its line but what may follow events. */
function isLineDone(body: Buffer, offset: number, stop: number, isInArray: boolean): boolean {
  let next = offset
  while (next < stop && (isBlank(body[next]) || body[next] === byte.return)) {
    next += 1
  }
  const isSeparated = body[next] === byte.comma || body[next] === byte.bracketClose
  return next >= stop || (isInArray && isSeparated)
}

function isBlank(value: number | undefined): boolean {
  return value === byte.space || value === byte.tab
}
