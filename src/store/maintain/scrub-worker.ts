/** The entry point of a scrub thread (Piscina calls these by name). */
import { realDisk } from '../../disk/real-disk.ts'
import { collectYoungGarbage } from '../../threads/garbage.ts'
import { beLessUrgent } from '../../threads/urgency.ts'
import * as tasks from './scrub-tasks.ts'

/** Everybody else comes first: what a scrub finds has waited for hours. With 19 it would stand still for
 *  minutes on a machine that is busy. */
const niceness = 10
beLessUrgent(niceness)

export const { scrubIndex } = tasks

export function scrubSegment(part: tasks.SegmentPart): ReturnType<typeof tasks.scrubSegment> {
  const report = tasks.scrubSegment(part, realDisk)
  collectYoungGarbage()
  return report
}

export function scrubJournal(part: tasks.JournalPart): ReturnType<typeof tasks.scrubJournal> {
  const report = tasks.scrubJournal(part, realDisk)
  collectYoungGarbage()
  return report
}
