/**
 * Standard output of a command that may print much: it writes as fast as the reader reads, and a
 * reader that has seen enough, such as `head`, is no failure but an end.
 */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { CommandError } from './command-error.ts'

/**
 * Prints, and resolves when all of it has left the process. Rejects with CommandError when it could not
 * be written, as to a full disk.
 */
export async function printTo<T>(
  stdout: Writable,
  print: (output: Output) => Promise<T>,
): Promise<T> {
  const output = new Output(stdout)
  const result = await print(output)
  await output.finish()
  return result
}

/** For an error of standard output other than that its reader has gone. */
export function cannotPrint(error: unknown): CommandError {
  const { code } = Object(error) as NodeJS.ErrnoException
  const what = `standard output cannot be written (${code ?? String(error)})`
  return new CommandError(what, { cause: error })
}

export class Output {
  /** Aborts when the reader has gone, or nothing can be written any more. */
  readonly closed: AbortSignal
  readonly #stdout: Writable
  #failure: CommandError | undefined

  constructor(stdout: Writable) {
    const gone = new AbortController()
    this.closed = gone.signal
    this.#stdout = stdout
    stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') this.#failure = cannotPrint(error)
      gone.abort()
    })
    stdout.on('close', () => gone.abort())
  }

  /**
   * Resolves when more may be written. Writes nothing once the reader has gone; throws CommandError
   * when something that was written before did not arrive.
   */
  async write(text: string | Uint8Array): Promise<void> {
    if (!this.closed.aborted && !this.#stdout.write(text)) {
      await once(this.#stdout, 'drain', { signal: this.closed }).catch(() => {})
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Resolves when all has been handed over; throws as `write` does. */
  async finish(): Promise<void> {
    if (!this.closed.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.closed.addEventListener('abort', () => resolve(), { once: true })
      this.#stdout.write('', () => resolve())
      await promise
      // The event that reports a failure comes after the callback of the write.
      await new Promise(setImmediate)
    }
    if (this.#failure !== undefined) throw this.#failure
  }
}
