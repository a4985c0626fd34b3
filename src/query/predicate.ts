/**
 * A selector compiled for columns: given a batch, says which of its records match, without making a
 * record of any. Dictionaries (streams, levels) are tested once per entry, text columns on bytes.
 */
import type { AttributeColumn, Batch } from '../journal/batch-reader.ts'
import type { Integers } from '../journal/integers.ts'
import { levelLabel, messageLabel, type Stream, streamLabels, type Timestamp } from '../record.ts'
import type { SearchableColumn } from '../segment/columns/column.ts'
import type { Selector } from './ast.ts'
import { type Condition, conditionOfFilter, conditionOfMatcher, holds } from './condition.ts'

interface AttributeCondition {
  readonly name: string
  readonly condition: Condition
  /** Whether records without the attribute pass: as if its value were empty. */
  readonly passesAbsent: boolean
}

export class Predicate {
  readonly #service: Condition[] = []
  readonly #environment: Condition[] = []
  readonly #level: Condition[] = []
  readonly #message: Condition[] = []
  readonly #attributes: AttributeCondition[] = []

  /** Throws ProblemError `query_regex` for an expression that cannot be used. */
  constructor(selector: Selector) {
    for (const matcher of selector.matchers) {
      const condition = conditionOfMatcher(matcher)
      if (matcher.label === streamLabels.service) this.#service.push(condition)
      else if (matcher.label === streamLabels.environment) this.#environment.push(condition)
      else if (matcher.label === levelLabel) this.#level.push(condition)
      else if (matcher.label === messageLabel) this.#message.push(condition)
      else {
        const passesAbsent = holds(condition, '')
        this.#attributes.push({ name: matcher.label, condition, passesAbsent })
      }
    }
    for (const filter of selector.filters) this.#message.push(conditionOfFilter(filter))
  }

  /** Whether stream and level decide alone, so that the index can answer. */
  get needsOnlyIndex(): boolean {
    return this.#message.length === 0 && this.#attributes.length === 0
  }

  matchesStream(stream: Stream): boolean {
    return (
      this.#service.every(condition => holds(condition, stream.service)) &&
      this.#environment.every(condition => holds(condition, stream.environment))
    )
  }

  matchesLevel(level: string): boolean {
    return this.#level.every(condition => holds(condition, level))
  }

  /**
   * Marks with 1 the records of a batch that match and lie in `[startTime, endTime]`.
   * Returns undefined when there are none.
   */
  select(batch: Batch, startTime: Timestamp, endTime: Timestamp): Uint8Array | undefined {
    const selected = new Uint8Array(batch.recordCount).fill(1)
    keepCodes(selected, batch.streamCodes, batch.streams, stream => this.matchesStream(stream))
    if (this.#level.length > 0) {
      keepCodes(selected, batch.levelCodes, batch.levels, level => this.matchesLevel(level))
    }
    keepTimes(selected, batch, startTime, endTime)
    for (const { name, condition, passesAbsent } of this.#attributes) {
      if (!selected.includes(1)) return undefined
      keepAttribute(selected, batch.attribute(name), condition, passesAbsent)
    }
    for (const condition of this.#message) {
      if (!selected.includes(1)) return undefined
      keepTexts(selected, batch.message, condition)
    }
    return selected.includes(1) ? selected : undefined
  }
}

/** Keeps the rows whose dictionary entry passes; each entry is tested once. */
function keepCodes<T>(
  selected: Uint8Array,
  codes: Integers,
  dictionary: readonly T[],
  passes: (entry: T) => boolean,
): void {
  const verdicts = dictionary.map(passes)
  if (verdicts.every(verdict => verdict)) return
  for (let row = 0; row < selected.length; row++) {
    if (!verdicts[codes[row]!]) selected[row] = 0
  }
}

function keepTimes(
  selected: Uint8Array,
  batch: Batch,
  startTime: Timestamp,
  endTime: Timestamp,
): void {
  for (let row = 0; row < selected.length; row++) {
    const timestamp = batch.timestamp(row)
    if (timestamp < startTime || timestamp > endTime) selected[row] = 0
  }
}

function keepTexts(selected: Uint8Array, column: SearchableColumn, condition: Condition): void {
  const hits = new Uint8Array(selected.length)
  column.markHits(condition, hits, selected)
  const wanted = condition.isNegated ? 0 : 1
  for (let row = 0; row < selected.length; row++) {
    if (hits[row] !== wanted) selected[row] = 0
  }
}

function keepAttribute(
  selected: Uint8Array,
  attribute: AttributeColumn | undefined,
  condition: Condition,
  passesAbsent: boolean,
): void {
  if (attribute === undefined) {
    if (!passesAbsent) selected.fill(0)
    return
  }
  const { column, rows } = attribute
  if (rows === undefined) {
    keepTexts(selected, column, condition)
    return
  }
  const hits = new Uint8Array(rows.length)
  const isWanted = Uint8Array.from(rows, row => selected[row]!)
  column.markHits(condition, hits, isWanted)
  const wanted = condition.isNegated ? 0 : 1
  let index = 0
  for (let row = 0; row < selected.length; row++) {
    const isPresent = index < rows.length && rows[index] === row
    const passes = isPresent ? hits[index] === wanted : passesAbsent
    if (isPresent) index++
    if (!passes) selected[row] = 0
  }
}
