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
