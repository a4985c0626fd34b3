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
import { ZstdFrameError, ZstdSplitter, zstdMagics } from '../../http/body/zstd-frames.ts'
import { CommandError } from '../command-error.ts'

export interface Source {
  /** As the user wrote it, for messages. */
  readonly name: string
  readonly chunks: AsyncIterable<Buffer>
  bytesRead(): number
}

const readBytes = 256 * 1024
const gzipMagic = Buffer.from([0x1f, 0x8b])
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]
const magics = [gzipMagic, ...zstdMagics, ...utf16Marks]

/**
 * The sizes of all files together, in bytes as they lie on disk; undefined when one of them is a
 * pipe. Throws CommandError for what is missing or cannot be read, before anything has been sent.
 */
export async function measureFiles(files: readonly string[]): Promise<number | undefined> {
  let total: number | undefined = 0
  for (const file of files) {
    const status = file === '-' ? undefined : await stat(file).catch(error => fail(file, error))
    if (status?.isDirectory()) {
      throw new CommandError(`${file} is a directory; name the files in it, such as ${file}/*.log`)
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
  const cut = 'the compressed data ends too early'
  const damaged = 'the compressed data is damaged'
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'reading it is not allowed',
    Z_BUF_ERROR: cut,
    zstd_cut: cut,
    Z_DATA_ERROR: damaged,
    zstd_foreign: damaged,
    ZSTD_error_corruption_detected: damaged,
    ZSTD_error_checksum_wrong: damaged,
    ZSTD_error_frameParameter_windowTooLarge:
      'it takes over 128 MiB of memory to decompress; do that first: zstd -d --long=31',
  }
  const reason = reasons[code] ?? (error instanceof Error ? error.message : String(error))
  throw new CommandError(`${file}: ${reason}`, { cause: error })
}

async function* decompressed(file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    const head = await readHead(chunks)
    if (utf16Marks.some(mark => startsWith(head, mark))) {
      throw new CommandError(`${file} is UTF-16; convert it first: iconv -f UTF-16 -t UTF-8`)
    }
    const whole = prepend(head, chunks)
    if (startsWith(head, gzipMagic)) {
      yield* through(createGunzip({ chunkSize: readBytes }), whole)
    } else if (zstdMagics.some(magic => startsWith(head, magic))) {
      yield* decompressZstd(whole)
    } else {
      yield* whole
    }
  } catch (error) {
    if (error instanceof CommandError || (error instanceof Error && error.name === 'AbortError')) {
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

/** All frames, one after the other. What comes before the end of cut data is given first. */
async function* decompressZstd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const splitter = new ZstdSplitter()
  let fault: ZstdFrameError | undefined
  async function* parts() {
    try {
      for await (const chunk of chunks) {
        yield* splitter.split(chunk)
      }
      splitter.end()
    } catch (error) {
      if (!(error instanceof ZstdFrameError)) throw error
      fault = error
    }
  }
  yield* through(createZstdDecompress({ chunkSize: readBytes }), parts())
  if (fault !== undefined) throw fault
}

/** Errors of either side come out of the iteration; the callback only keeps them from being thrown. */
function through(decoder: Duplex, chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return pipeline(Readable.from(chunks), decoder, () => {})
}

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning)
}
