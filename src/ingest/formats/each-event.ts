/** What becomes of the events of a body whose decoder finds them one by one. */

import { ProblemError } from '../../problems.ts'
import type { LogRecord } from '../../record.ts'
import { type Outcome, unreadableProblem } from '../read-event-batch.ts'

/** Makes the record of one event that was found. Refuses it with a ProblemError, which costs no other. */
export type OneEvent = () => LogRecord

/**
 * Each event that `found` gives is made a record before the next is asked for. Throws what `found` throws,
 * and `events_unreadable` after the last one when there were problems only.
 */
export function* outcomesOf(found: Iterable<OneEvent>): Generator<Outcome, void> {
  let index = 0
  let problemCount = 0
  let firstProblem: ProblemError | undefined
  for (const make of found) {
    const outcome = outcomeOf(index, make)
    if (outcome.problem !== undefined) {
      firstProblem ??= outcome.problem
      problemCount++
    }
    index++
    yield outcome
  }
  if (firstProblem !== undefined && problemCount === index) {
    throw unreadableProblem(problemCount, firstProblem)
  }
}

function outcomeOf(index: number, make: OneEvent): Outcome {
  try {
    return { index, record: make() }
  } catch (error) {
    if (error instanceof ProblemError) return { index, problem: error }
    throw error
  }
}
