/** How urgent threads are, one to another. */
import os from 'node:os'

/**
 * Makes the thread that calls it less urgent, by a niceness from 1 to 19: on Linux, which alone can tell
 * a thread apart from its process. Elsewhere, and where it is forbidden, it stays as it is.
 */
export function beLessUrgent(niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    os.setPriority(0, niceness)
  } catch {
    // Then it is as urgent as all else.
  }
}

const nothingToWaitFor = new Int32Array(new SharedArrayBuffer(4))
/** As short a sleep as there is, ms. */
const momentMs = 0.05

/**
 * Leaves the core to others for a moment, some 0.1 ms: for a thread that works on for long. Linux lets
 * whoever runs finish a slice of some milliseconds, also when a more urgent thread wakes.
 */
export function giveWay(): void {
  Atomics.wait(nothingToWaitFor, 0, 0, momentMs)
}
