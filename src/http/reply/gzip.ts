/** Compresses an answer while it is sent. */

import { once } from 'node:events'
import { createGzip } from 'node:zlib'

/** Higher levels take nearly twice as long for a tenth less: then compressing would be the brake. */
const level = 2
const chunkSize = 64 * 1024

/**
 * The same in gzip. Takes the next chunk when the last one is compressed; ends the source when it is
 * ended itself, and throws what that throws.
 */
export async function* gzipped(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gzip = createGzip({ level, chunkSize })
  const done: Buffer[] = []
  gzip.on('data', piece => done.push(piece))
  try {
    for await (const chunk of source) {
      await new Promise<void>((resolve, reject) => {
        gzip.write(chunk, error => (error ? reject(error) : resolve()))
      })
      yield* done.splice(0)
    }
    const ended = once(gzip, 'end')
    gzip.end()
    await ended
    yield* done
  } finally {
    gzip.destroy()
  }
}
