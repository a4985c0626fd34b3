/** The entry point of a seal thread (Piscina calls these by name). */
import { realDisk } from '../../disk/real-disk.ts'
import { collectGarbage } from '../../threads/garbage.ts'
import { beLessUrgent } from '../../threads/urgency.ts'
import type { CompactTask } from './compact.ts'
import type { SealTask, WrittenSegment } from './seal.ts'
import * as tasks from './seal-tasks.ts'

/** Senders and queries come first; what is not sealed yet is only larger and a little slower. */
const niceness = 5
beLessUrgent(niceness)

export function seal(task: SealTask): WrittenSegment[] | tasks.SealFailure {
  return tidied(tasks.seal(task, realDisk))
}

export function compact(task: CompactTask): WrittenSegment[] | tasks.SealFailure {
  return tidied(tasks.compact(task, realDisk))
}

/** The thread now waits for seconds: others may use the memory of what it has done meanwhile. */
function tidied<Result>(result: Result): Result {
  collectGarbage()
  return result
}
