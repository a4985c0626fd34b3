/** How urgent threads are, one to another. */
import fs from 'node:fs'
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

/** The names that the system has for libuv's threads: what they do, such as syncs, senders wait for. */
const libuvThread = 'libuv-worker'

/**
 * Makes V8's own threads, which collect garbage beside all others, less urgent than the thread that calls
 * it, the first of the process, by a niceness from 1 to 19. To be called before it starts any of its
 * own. On Linux only, where threads have numbers.
 */
export function makeCollectorsLessUrgent(niceness: number): void {
  if (process.platform !== 'linux') return
  const tasks = '/proc/self/task'
  const isCollector = (thread: string) =>
    Number(thread) !== process.pid &&
    fs.readFileSync(`${tasks}/${thread}/comm`, 'utf8').trim() !== libuvThread
  try {
    for (const thread of fs.readdirSync(tasks).filter(isCollector)) {
      os.setPriority(Number(thread), niceness)
    }
  } catch {
    // No /proc, or it is forbidden: then they are as urgent as all else.
  }
}
