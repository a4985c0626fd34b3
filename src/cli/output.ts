/**
 * Standard output of a command that may print much: it writes as fast as the reader reads, and a
 * reader that has seen enough, such as `head`, is no failure but an end.
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'

export class Output {
  /** Aborts when the reader has gone. */
  readonly closed: AbortSignal
  readonly #stdout: Writable

  constructor(stdout: Writable) {
    const gone = new AbortController()
    this.closed = gone.signal
    this.#stdout = stdout
    stdout.on('error', () => gone.abort())
    stdout.on('close', () => gone.abort())
  }

  /** Resolves when more may be written. Writes nothing once the reader has gone. */
  async write(text: string | Uint8Array): Promise<void> {
    if (this.closed.aborted || this.#stdout.write(text)) return
    await once(this.#stdout, 'drain', { signal: this.closed }).catch(() => {})
  }
}
