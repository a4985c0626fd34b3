/** The entry point of a seal thread (Piscina calls these by name). */
import { realDisk } from '../disk/real-disk.ts'
import { beLessUrgent } from '../threads/urgency.ts'
import type { CompactTask } from './compact.ts'
import type { SealTask, WrittenSegment } from './seal.ts'
import * as tasks from './seal-tasks.ts'

/** Senders and queries come first; what is not sealed yet is only larger and a little slower. */
const niceness = 5
beLessUrgent(niceness)

export function seal(task: SealTask): WrittenSegment[] | tasks.SealFailure {
  return tasks.seal(task, realDisk)
}

export function compact(task: CompactTask): WrittenSegment[] | tasks.SealFailure {
  return tasks.compact(task, realDisk)
}
