/**
 * Opens what is to be imported, a file or standard input, as a stream of plain bytes.
 *
 * Compressed input is recognised by its first bytes, not by its name, so that it works through a pipe
 * too. `bytesRead` counts what has been read of the file itself: that, against the file's size,
 * is the only progress that is known before the end.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, type Duplex, pipeline, Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { ImportError } from './import-error.ts'

export interface Source {
  /** As the user wrote it, for messages. */
  readonly name: string
  readonly chunks: AsyncIterable<Buffer>
  bytesRead(): number
}

const readBytes = 256 * 1024
const gzipMagic = Buffer.from([0x1f, 0x8b])
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]
const magics = [gzipMagic, zstdMagic, ...utf16Marks]

/**
 * The sizes of all files together, in bytes as they lie on disk; undefined when one of them is a
 * pipe. Throws ImportError for what is missing or cannot be read, before anything has been sent.
 */
export async function measureFiles(files: readonly string[]): Promise<number | undefined> {
  let total: number | undefined = 0
  for (const file of files) {
    const status = file === '-' ? undefined : await stat(file).catch(error => fail(file, error))
    if (status?.isDirectory()) {
      throw new ImportError(`${file} is a directory; name the files in it, such as ${file}/*.log`)
    }
    total = status?.isFile() && total !== undefined ? total + status.size : undefined
  }
  return total
}

/** Opens `file`. An abort ends its chunks with an error, even while they wait for more input. */
export function openSource(file: string, stdin: Readable, signal: AbortSignal): Source {
  let bytesRead = 0
  async function* counted() {
    const stream = file === '-' ? stdin : createReadStream(file, { highWaterMark: readBytes })
    for await (const chunk of addAbortSignal(signal, stream) as AsyncIterable<Buffer>) {
      bytesRead += chunk.length
      yield chunk
    }
  }
  return {
    name: file === '-' ? 'standard input' : file,
    chunks: decompressed(file, counted()),
    bytesRead: () => bytesRead,
  }
}

/** What a file's failure means to the user. */
export function fail(file: string, error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'reading it is not allowed',
    Z_BUF_ERROR: 'the compressed data ends too early',
    Z_DATA_ERROR: 'the compressed data is damaged',
  }
  const reason = reasons[code] ?? (error instanceof Error ? error.message : String(error))
  throw new ImportError(`${file}: ${reason}`, { cause: error })
}

async function* decompressed(file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    const head = await readHead(chunks)
    if (utf16Marks.some(mark => startsWith(head, mark))) {
      throw new ImportError(`${file} is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8`)
    }
    const whole = prepend(head, chunks)
    const decoder = decoderOf(head)
    if (decoder === undefined) {
      yield* whole
    } else {
      // Errors of either side come out of the iteration; the callback only keeps them from being thrown.
      yield* pipeline(Readable.from(whole), decoder, () => {}) as AsyncIterable<Buffer>
    }
  } catch (error) {
    if (error instanceof ImportError || (error instanceof Error && error.name === 'AbortError')) {
      throw error
    }
    fail(file, error)
  }
}

/** Enough bytes to tell a format by. A pipe may give them one at a time, but is not waited for in vain. */
async function readHead(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  let head = Buffer.alloc(0)
  while (magics.some(magic => head.length < magic.length && startsWith(magic, head))) {
    const next = await chunks.next()
    if (next.done) {
      break
    }
    head = Buffer.concat([head, next.value])
  }
  return head
}

async function* prepend(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* rest
}

function decoderOf(head: Buffer): Duplex | undefined {
  if (startsWith(head, gzipMagic)) {
    return createGunzip({ chunkSize: readBytes })
  }
  return startsWith(head, zstdMagic) ? createZstdDecompress({ chunkSize: readBytes }) : undefined
}

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning)
}
