/** The entry point of the tail's thread (Piscina calls this by name). */
import { SourceReader } from '../../query/source-reader.ts'
import { matchRanges, type TailResult, type TailTask } from './task.ts'

/** It reads no blocks, so there is nothing to keep decoded. */
const reader = new SourceReader(0)

export function match(task: TailTask): TailResult {
  return matchRanges(task, reader)
}
