/** A terminal for tests: keeps what is printed, takes no time to pause, and is interrupted at will. */
import { PassThrough, Readable } from 'node:stream'
import type { Terminal } from '../../src/cli/terminal.ts'
import type { Environment } from '../../src/config/settings.ts'

export interface FakeTerminal extends Terminal {
  /** Milliseconds of each pause, in turn. */
  readonly pauses: number[]
  readonly interrupt: AbortController
  printed(): string
  complained(): string
}

export function fakeTerminal(
  given: { environment?: Environment; stdin?: Readable; isTTY?: boolean; columns?: number } = {},
): FakeTerminal {
  const out: Buffer[] = []
  const err: Buffer[] = []
  const pauses: number[] = []
  const interrupt = new AbortController()
  const { isTTY = false, columns = 80 } = given
  return {
    environment: given.environment ?? {},
    stdin: Object.assign(given.stdin ?? new PassThrough().end(), { isTTY }),
    stdout: new PassThrough().on('data', part => out.push(part)),
    stderr: Object.assign(new PassThrough(), { isTTY, columns }).on('data', part => err.push(part)),
    pauses,
    interrupt,
    pause: async milliseconds => {
      pauses.push(milliseconds)
    },
    interrupts: () => interrupt.signal,
    printed: () => Buffer.concat(out).toString(),
    complained: () => Buffer.concat(err).toString(),
  }
}

/** Standard input that gives these parts, one chunk each, and ends. */
export function pipe(...parts: readonly (string | Buffer)[]): Readable {
  return Readable.from(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part)))
}
