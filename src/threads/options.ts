/**
 * How threads are run, and the memory of JavaScript objects. Left alone, V8 fills up to 48 MB with
 * young objects, and lets garbage of hundreds of megabytes grow old, before it collects; with several
 * threads that is more than all of the data.
 */
import v8 from 'node:v8'

/**
 * Piscina's options for every pool of ours. No task needs a tenth of the heap: groups, candidates and
 * answers are bounded (`limits.ts`), columns lie outside of it. Times of tasks, which nobody reads,
 * take 0.7 MB for each pool. And tasks (those without a signal) begin in the order in which they came:
 * left alone, Piscina puts the one that has waited longest behind all others each time that it finds
 * no thread for it.
 */
export const threadOptions = {
  resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
  recordTiming: false,
  stricterFIFO: true,
} as const

/** Of a thread's objects and arrays, before garbage is collected for the first time. */
const firstCollectionMb = 8

/**
 * Lets the heaps of this process, the main thread's above all, grow by a quarter of what is alive
 * between two collections, and not to the fourfold. To be called before a thread is started: from then on
 * each has the young generation of `threadOptions` and its own first collection, which the flags of
 * `npm start`, meant for the main thread, would override.
 */
export function boundGarbage(): void {
  v8.setFlagsFromString('--heap-growing-percent=25')
  v8.setFlagsFromString('--max-semi-space-size=0')
  v8.setFlagsFromString(`--initial-old-space-size=${firstCollectionMb}`)
}
