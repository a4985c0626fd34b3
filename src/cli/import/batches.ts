/**
 * Gathers the lines of one source into batches: the bodies of requests, one event a line.
 *
 * Lines keep their order. A batch is full at a size or a number of lines, or when the source has
 * nothing more to give for a moment (a live pipe), so that nobody waits for a line that has been read.
 * Lines that are known to be refused are not sent; they come as the batch's own rejections.
 */
import { isUtf8 } from 'node:buffer'
import { type BatchFormat, type Encoded, encoderOf, guessFormat } from './format.ts'
import { type Line, linesOf } from './lines.ts'
import type { Source } from './source.ts'

/** A line that did not become a record, and why. */
export interface Rejection {
  readonly line: number
  /** When it cannot be told which line it was: one from `line` to this. */
  readonly untilLine?: number
  readonly code: string
  readonly detail: string
}

export interface Batch {
  /** NDJSON, each line ended by a line feed. Empty when all lines were rejected here. */
  readonly body: Buffer
  /** The number in its source of each line of the body, in turn. */
  readonly lineNumbers: readonly number[]
  /** The last line of the source that this batch has dealt with. */
  readonly lastLine: number
  readonly rejections: readonly Rejection[]
  /** Lines that held bytes that are not UTF-8, replaced by U+FFFD. */
  readonly repairedCount: number
}

export interface BatchOptions {
  readonly format: BatchFormat | 'auto'
  readonly batchBytes: number
  readonly linesMax: number
  /** Longer lines are rejected. */
  readonly lineBytesMax: number
  /** How long a batch that is not full waits for more input, in milliseconds. */
  readonly waitMs: number
  /** Called once, before the first batch. May throw. */
  readonly onFormat: (format: BatchFormat) => void
}

/** The batches of a source, in order. A line beyond `batchBytes` makes a batch of its own. */
export async function* batchesOf(source: Source, options: BatchOptions): AsyncGenerator<Batch> {
  let batch = new OpenBatch()
  let encode: ((line: Buffer) => Encoded) | undefined
  for await (const lines of orIdle(linesOf(source.chunks, options.lineBytesMax), options.waitMs)) {
    if (lines === 'idle') {
      if (!batch.isEmpty()) {
        yield batch.close()
        batch = new OpenBatch()
      }
      continue
    }
    if (encode === undefined) {
      const format = options.format === 'auto' ? guessFormat(source.name, lines) : options.format
      options.onFormat(format)
      encode = encoderOf(format)
    }
    for (const line of lines) {
      const encoded = encodeLine(line, encode, options.lineBytesMax)
      const isFull =
        batch.bytes + (encoded.ok ? encoded.event.length : 0) >= options.batchBytes ||
        batch.lineCount >= options.linesMax
      if (isFull && !batch.isEmpty()) {
        yield batch.close()
        batch = new OpenBatch()
      }
      batch.add(line.number, encoded)
    }
  }
  if (!batch.isEmpty()) {
    yield batch.close()
  }
}

type EncodedLine = Encoded & { readonly isRepaired?: boolean }

function encodeLine(
  { bytes }: Line,
  encode: (line: Buffer) => Encoded,
  lineBytesMax: number,
): EncodedLine {
  if (bytes === undefined) {
    const detail = `the line is longer than ${lineBytesMax} bytes`
    return { ok: false, code: 'line_too_long', detail }
  }
  return isUtf8(bytes)
    ? encode(bytes)
    : { ...encode(Buffer.from(bytes.toString('utf8'))), isRepaired: true }
}

const lineFeed = Buffer.from('\n')

class OpenBatch {
  bytes = 0
  lineCount = 0
  readonly #parts: Buffer[] = []
  readonly #lineNumbers: number[] = []
  readonly #rejections: Rejection[] = []
  #lastLine = 0
  #repairedCount = 0

  isEmpty(): boolean {
    return this.lineCount === 0
  }

  add(line: number, encoded: EncodedLine): void {
    this.lineCount += 1
    this.#lastLine = line
    if (encoded.ok) {
      this.#parts.push(encoded.event, lineFeed)
      this.#lineNumbers.push(line)
      this.#repairedCount += encoded.isRepaired ? 1 : 0
      this.bytes += encoded.event.length + lineFeed.length
    } else {
      this.#rejections.push({ line, code: encoded.code, detail: encoded.detail })
    }
  }

  close(): Batch {
    return {
      body: Buffer.concat(this.#parts, this.bytes),
      lineNumbers: this.#lineNumbers,
      lastLine: this.#lastLine,
      rejections: this.#rejections,
      repairedCount: this.#repairedCount,
    }
  }
}

/** Yields what `values` yields, and `idle` once whenever nothing has come for `waitMs`. */
async function* orIdle<Value>(
  values: AsyncGenerator<Value>,
  waitMs: number,
): AsyncGenerator<Value | 'idle'> {
  try {
    for (;;) {
      const next = values.next()
      let timer: NodeJS.Timeout | undefined
      const idle = new Promise<'idle'>(resolve => {
        timer = setTimeout(resolve, waitMs, 'idle')
      })
      const first = await Promise.race([next, idle]).finally(() => clearTimeout(timer))
      if (first === 'idle') {
        yield 'idle'
      }
      const result = await next
      if (result.done) {
        return
      }
      yield result.value
    }
  } finally {
    // Not awaited: it may still be waiting for input that never comes.
    values.return(undefined).catch(() => {})
  }
}
