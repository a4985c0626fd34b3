/** The entry point of a seal thread (Piscina calls these by name). */
import { realDisk } from '../disk/real-disk.ts'
import { collectGarbage } from '../threads/options.ts'
import { beLessUrgent } from '../threads/urgency.ts'
import type { CompactTask } from './compact.ts'
import type { SealTask, WrittenSegment } from './seal.ts'
import * as tasks from './seal-tasks.ts'

/** Senders and queries come first; what is not sealed yet is only larger and a little slower. */
const niceness = 5
beLessUrgent(niceness)

export function seal(task: SealTask): WrittenSegment[] | tasks.SealFailure {
  return thenCollected(tasks.seal(task, realDisk))
}

export function compact(task: CompactTask): WrittenSegment[] | tasks.SealFailure {
  return thenCollected(tasks.compact(task, realDisk))
}

/** A task leaves up to 100 MB that nothing refers to any more; the next one may be long in coming. */
function thenCollected<Outcome>(outcome: Outcome): Outcome {
  collectGarbage()
  return outcome
}
