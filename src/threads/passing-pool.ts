/** Threads that begin when there is work, and end when there was none for a while. */
import { Piscina } from 'piscina'
import { threadOptions } from './options.ts'
import type { ThreadProgram } from './program.ts'

export interface PassingPoolOptions {
  /** One, when absent: its tasks run one after the other. */
  readonly threadsMax?: number
  /** The heap limit of each; absent, that of other threads. */
  readonly heapMb?: number
}

/** A thread's memory is released after `idleMs`. */
export function passingPool(
  program: ThreadProgram,
  idleMs: number,
  { threadsMax = 1, heapMb }: PassingPoolOptions = {},
): Piscina {
  const { resourceLimits } = threadOptions
  const maxOldGenerationSizeMb = heapMb ?? resourceLimits.maxOldGenerationSizeMb
  return new Piscina({
    ...program,
    minThreads: 0,
    maxThreads: threadsMax,
    idleTimeout: idleMs,
    ...threadOptions,
    resourceLimits: { ...resourceLimits, maxOldGenerationSizeMb },
  })
}
