/**
 * What a command has of the world around it: streams, environment, time and the interrupt key. Tests
 * hand in their own.
 */
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../config/settings.ts'

export interface Terminal {
  readonly environment: Environment
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Resolves after that many milliseconds; rejects as soon as the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
  /**
   * From the first call on, an interrupt (ctrl-C) aborts the signal instead of ending the process, so
   * that a command can finish what is under way. A later interrupt ends the process.
   */
  interrupts(): AbortSignal
}

/** npm passes an interrupt on that the terminal has sent to all processes: it may come twice. */
const sameInterruptMs = 1_000

/** The terminal of this process. */
export function processTerminal(): Terminal {
  return {
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    pause: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
    interrupts: () => {
      const controller = new AbortController()
      let firstAtMs = Number.POSITIVE_INFINITY
      process.on('SIGINT', () => {
        if (performance.now() - firstAtMs > sameInterruptMs) {
          process.exit(130)
        }
        firstAtMs = Math.min(firstAtMs, performance.now())
        controller.abort()
      })
      return controller.signal
    },
  }
}
