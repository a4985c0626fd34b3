/** What becomes of the events of a body whose decoder finds them one by one: an entry, a line. */

import { orProblem, ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import { type DirectOutcome, type Outcome, unreadableProblem } from '../read-event-batch.ts'

/**
 * Makes the record of one event that was found; undefined when it is in the direct reader, see
 * `DirectOutcome`. Refuses it with a ProblemError, which costs no other.
 */
export type OneEvent = () => LogRecord | StoredEvent | undefined

/** An event that was accepted before, under the same key: see `FormatContext.identify`. */
export interface StoredEvent {
  readonly stored: LogRecord
}

/**
 * Each event that `found` gives is made a record before the next is asked for. Throws what `found` throws,
 * and `events_unreadable` after the last one when there were problems only.
 */
export function* outcomesOf(found: Iterable<OneEvent>): Generator<Outcome | DirectOutcome, void> {
  let index = 0
  let problemCount = 0
  let firstProblem: ProblemError | undefined
  for (const make of found) {
    const made = orProblem(make)
    if (made instanceof ProblemError) {
      firstProblem ??= made
      problemCount++
      yield { index, problem: made }
    } else if (made === undefined) {
      yield { index }
    } else if ('stored' in made) {
      yield { index, record: made.stored, isStored: true }
    } else {
      yield { index, record: made }
    }
    index++
  }
  if (firstProblem !== undefined && problemCount === index) {
    throw unreadableProblem(problemCount, firstProblem)
  }
}
