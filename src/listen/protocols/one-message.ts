/** A message by itself becomes a record, or costs nothing but itself. */

import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import type { Intake, RefusalReason } from './protocol.ts'

/** Takes the record that `read` makes; `reasonOf` is how a message counts that is refused. */
export function takeOne(
  intake: Intake,
  read: () => LogRecord,
  reasonOf: (problem: ProblemError) => RefusalReason,
): void {
  try {
    intake.record(read())
  } catch (error) {
    if (error instanceof ProblemError) intake.refuse(reasonOf(error))
    else intake.fail(error)
  }
}
