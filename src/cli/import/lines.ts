/**
 * Cuts a stream of bytes into lines, with memory for one line and one chunk only.
 *
 * Empty lines (nothing but spaces and tabs) are left out but counted, so that numbers are those an
 * editor shows. A carriage return before the line feed, and a byte order mark before line 1, belong to
 * no line. The last line needs no line feed.
 */

export interface Line {
  /** Counts from 1. */
  readonly number: number
  /** Undefined when the line is longer than allowed. Valid as long as it is held: never reused. */
  readonly bytes: Buffer | undefined
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** For each chunk, the lines that it completes. Lines over `lineBytesMax` come without their bytes. */
export async function* linesOf(
  chunks: AsyncIterable<Buffer>,
  lineBytesMax: number,
): AsyncGenerator<Line[]> {
  const pending = new PendingLine(lineBytesMax)
  let number = 0
  for await (const chunk of chunks) {
    const lines: Line[] = []
    let start = 0
    for (;;) {
      const end = chunk.indexOf(lineFeed, start)
      if (end === -1) {
        break
      }
      number += 1
      addLine(lines, number, pending.complete(chunk.subarray(start, end)))
      start = end + 1
    }
    pending.add(chunk.subarray(start))
    if (lines.length > 0) {
      yield lines
    }
  }
  const last: Line[] = []
  addLine(last, number + 1, pending.complete(Buffer.alloc(0)))
  if (last.length > 0) {
    yield last
  }
}

/** The beginning of a line whose end has not been read yet. */
class PendingLine {
  readonly #bytesMax: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  add(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > this.#bytesMax) {
      this.#parts = []
    } else if (part.length > 0) {
      this.#parts.push(part)
    }
  }

  /** The whole line with its last part, or undefined when it is too long. Starts the next line. */
  complete(last: Buffer): Buffer | undefined {
    const isSimple = this.#bytes === 0 && last.length <= this.#bytesMax
    if (isSimple) {
      return last
    }
    this.add(last)
    const line = this.#bytes > this.#bytesMax ? undefined : Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    return line
  }
}

function addLine(lines: Line[], number: number, raw: Buffer | undefined): void {
  if (raw === undefined) {
    lines.push({ number, bytes: undefined })
    return
  }
  const hasMark = number === 1 && raw.subarray(0, 3).equals(byteOrderMark)
  const end = raw.at(-1) === carriageReturn ? raw.length - 1 : raw.length
  const bytes = raw.subarray(hasMark ? 3 : 0, end)
  if (!isBlank(bytes)) {
    lines.push({ number, bytes })
  }
}

function isBlank(line: Buffer): boolean {
  for (const byte of line) {
    if (byte !== 0x20 && byte !== 0x09) {
      return false
    }
  }
  return true
}
