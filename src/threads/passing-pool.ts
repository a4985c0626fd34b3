/** Threads that begin when there is work, and end when there was none for a while. */
import { Piscina } from 'piscina'
import { threadOptions } from './options.ts'
import type { ThreadProgram } from './program.ts'

/** A thread's memory is released after `idleMs`. One thread: its tasks run one after the other. */
export function passingPool(program: ThreadProgram, idleMs: number, threadsMax = 1): Piscina {
  return new Piscina({
    ...program,
    minThreads: 0,
    maxThreads: threadsMax,
    idleTimeout: idleMs,
    ...threadOptions,
  })
}
