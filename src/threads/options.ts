/**
 * How threads are run, and the memory of JavaScript objects. Left alone, V8 fills up to 48 MB with
 * young objects, and lets garbage of hundreds of megabytes grow old, before it collects; with several
 * threads that is more than all of the data.
 */
import v8 from 'node:v8'
import { machineMemoryBytes, runningFlags, threadLimits } from '../memory-policy.js'

/**
 * Piscina's options for every pool of ours. Times of tasks, which nobody reads, take 0.7 MB for each
 * pool. And tasks (those without a signal) begin in the order in which they came: left alone, Piscina
 * puts the one that has waited longest behind all others each time that it finds no thread for it.
 */
export const threadOptions = {
  resourceLimits: threadLimits,
  recordTiming: false,
  stricterFIFO: true,
  execArgv: threadArguments(),
} as const

/**
 * None of the process' own: what it imports first (`--import`) is for it, and would be loaded again, at the
 * same cost, by each thread that starts. Piscina asks for a thread's program by `require` first, and by
 * `import` when that is refused: it is, because Node ends the whole process (`v8::Module::IsGraphAsync`) when
 * a thread is ended at the moment at which `require` links an ES module.
 */
function threadArguments(): string[] {
  const refuse = '--no-experimental-require-module'
  // A later Node may know it by another name, and refuses what it does not know.
  return process.allowedNodeEnvironmentFlags.has(refuse) ? [refuse] : []
}

/** Bounds the heaps of this process. To be called before a thread is started. */
export function boundGarbage(): void {
  for (const flag of runningFlags(machineMemoryBytes)) v8.setFlagsFromString(flag)
}
