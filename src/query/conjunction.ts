/**
 * The conditions of a selector, or of one of its alternatives, compiled for columns: all of them must hold.
 * Dictionaries (streams, levels) are tested once per entry, text columns on bytes.
 */

import { hasMark } from '../columns/codes.ts'
import type { SearchableColumn } from '../columns/column.ts'
import type { Integers } from '../columns/integers.ts'
import type { AttributeColumn, RecordColumns, RowRange } from '../columns/record-columns.ts'
import type { Conditions } from '../language/ast.ts'
import {
  type AttributeCondition,
  type Condition,
  conditionOfFilter,
  holds,
} from '../match/condition.ts'
import { levelLabel, messageLabel, type Stream, streamLabels } from '../record.ts'
import { keepMarked, Marks, marksOf } from './marks.ts'
import { conditionOf, conditionOfSearch } from './matcher-condition.ts'
import { asksForPattern, keepPatterns } from './pattern-condition.ts'

/** One text that records must have anywhere, or nowhere. */
interface Anywhere {
  readonly condition: Condition
  readonly isNegated: boolean
}

/** A plain loop, which makes nothing: a question asks it of each stream and level. */
function holdAll(conditions: readonly Condition[], text: string): boolean {
  for (let i = 0; i < conditions.length; i++) if (!holds(conditions[i]!, text)) return false
  return true
}

export class Conjunction {
  readonly #service: Condition[] = []
  readonly #environment: Condition[] = []
  readonly #level: Condition[] = []
  readonly #message: Condition[] = []
  readonly #pattern: Condition[] = []
  readonly #attributes: AttributeCondition[] = []
  readonly #anywhere: readonly Anywhere[]

  /** Throws ProblemError `query_regex` for an expression that cannot be used. */
  constructor({ matchers, filters, searches = [] }: Conditions) {
    for (const matcher of matchers) {
      const condition = conditionOf(matcher)
      if (matcher.label === streamLabels.service) this.#service.push(condition)
      else if (matcher.label === streamLabels.environment) this.#environment.push(condition)
      else if (matcher.label === levelLabel) this.#level.push(condition)
      else if (matcher.label === messageLabel) this.#message.push(condition)
      else if (asksForPattern(matcher)) this.#pattern.push(condition)
      else {
        const passesAbsent = holds(condition, '')
        this.#attributes.push({ name: matcher.label, condition, passesAbsent })
      }
    }
    for (const filter of filters) this.#message.push(conditionOfFilter(filter))
    this.#anywhere = searches.map(search => ({
      condition: conditionOfSearch(search),
      isNegated: search.isNegated,
    }))
  }

  /** Whether stream and level decide alone, so that the index can answer. */
  get needsOnlyIndex(): boolean {
    const isMore = this.#message.length > 0 || this.#attributes.length > 0
    return !isMore && !this.asksPattern && !this.asksAnywhere
  }

  /** Whether there are conditions on the level. */
  get asksLevel(): boolean {
    return this.#level.length > 0
  }

  /** Whether there are conditions on the kind of the message. */
  get asksPattern(): boolean {
    return this.#pattern.length > 0
  }

  /** Whether there are conditions on the message and all attributes together. */
  get asksAnywhere(): boolean {
    return this.#anywhere.length > 0
  }

  /** Conditions on attributes. */
  get attributeConditions(): readonly AttributeCondition[] {
    return this.#attributes
  }

  /** Conditions on the message. */
  get messageConditions(): readonly Condition[] {
    return this.#message
  }

  /** Conditions on the id of the message's kind. */
  get patternConditions(): readonly Condition[] {
    return this.#pattern
  }

  matchesStream(stream: Stream): boolean {
    return holdAll(this.#service, stream.service) && holdAll(this.#environment, stream.environment)
  }

  matchesLevel(level: string): boolean {
    return holdAll(this.#level, level)
  }

  /**
   * How many of all records match, where one column alone tells it faster than marks are set; undefined
   * otherwise.
   */
  count(columns: RecordColumns): number | undefined {
    const isOne = this.#attributes.length + this.#message.length === 1
    const asksMore = this.#level.length > 0 || this.asksPattern || this.asksAnywhere
    if (!isOne || asksMore) return undefined
    if (!columns.streams.every(stream => this.matchesStream(stream))) return undefined
    const [attribute] = this.#attributes
    return attribute === undefined
      ? countMessages(columns, this.#message[0]!)
      : countAttribute(columns, attribute)
  }

  /** Whether some records have each attribute without which none can match: seen before any is marked. */
  hasWhatItNeeds(columns: RecordColumns): boolean {
    return this.#attributes.every(
      ({ name, passesAbsent }) => passesAbsent || columns.attributeValueCount(name) > 0,
    )
  }

  /** Keeps of the records that are selected within `rows` those that match. False when none does. */
  keep(selected: Uint8Array, rows: RowRange, columns: RecordColumns): boolean {
    keepCodes(selected, rows, columns.streamCodes, columns.streams, stream =>
      this.matchesStream(stream),
    )
    if (this.#level.length > 0) {
      keepCodes(selected, rows, columns.levelCodes, columns.levels, level =>
        this.matchesLevel(level),
      )
    }
    for (const { name, condition, passesAbsent } of this.#attributes) {
      if (!hasMark(selected)) return false
      keepAttribute(selected, columns.attribute(name), condition, passesAbsent)
    }
    for (const condition of this.#message) {
      if (!hasMark(selected)) return false
      keepTexts(selected, columns.message, condition)
    }
    for (const condition of this.#pattern) {
      if (!hasMark(selected)) return false
      keepPatterns(selected, columns, condition)
    }
    for (const asked of this.#anywhere) {
      if (!hasMark(selected)) return false
      keepAnywhere(selected, columns, asked)
    }
    return hasMark(selected)
  }
}

function countMessages(
  { message, recordCount }: RecordColumns,
  { test, isNegated }: Condition,
): number | undefined {
  const hits = message.countHits?.(test)
  if (hits === undefined) return undefined
  return isNegated ? recordCount - hits : hits
}

function countAttribute(
  columns: RecordColumns,
  { name, condition, passesAbsent }: AttributeCondition,
): number | undefined {
  const column = columns.attribute(name)?.column
  if (column === undefined) return passesAbsent ? columns.recordCount : 0
  const hits = column.countHits?.(condition.test)
  if (hits === undefined) return undefined
  const passing = condition.isNegated ? column.valueCount - hits : hits
  return passesAbsent ? passing + columns.recordCount - column.valueCount : passing
}

const hitMarks = new Marks()

/** Keeps the rows whose dictionary entry passes; each entry is tested once. */
function keepCodes<Entry>(
  selected: Uint8Array,
  { from, to }: RowRange,
  codes: Integers,
  entries: readonly Entry[],
  passes: (entry: Entry) => boolean,
): void {
  const passing = Uint8Array.from(entries, entry => (passes(entry) ? 1 : 0))
  if (!passing.includes(0)) return
  for (let row = from; row < to; row++) selected[row]! &= passing[codes[row]!]!
}

function keepTexts(selected: Uint8Array, column: SearchableColumn, condition: Condition): void {
  const hits = hitMarks.take(selected.length, 0)
  column.markHits(condition, hits, selected)
  keepHits(selected, hits, condition.isNegated)
}

function keepHits(selected: Uint8Array, hits: Uint8Array, isNegated: boolean): void {
  if (isNegated || hasMark(hits)) keepMarked(selected, hits, isNegated)
  else selected.fill(0)
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
  const hits = hitMarks.take(rows.length, 0)
  column.markHits(condition, hits, marksOf(rows, selected))
  const wanted = condition.isNegated ? 0 : 1
  let index = 0
  for (let row = 0; row < selected.length; row++) {
    const isPresent = index < rows.length && rows[index] === row
    const passes = isPresent ? hits[index] === wanted : passesAbsent
    if (isPresent) index++
    if (!passes) selected[row] = 0
  }
}

const foundMarks = new Marks()

function keepAnywhere(
  selected: Uint8Array,
  columns: RecordColumns,
  { condition, isNegated }: Anywhere,
): void {
  const found = foundMarks.take(selected.length, 0)
  columns.message.markHits(condition, found, selected)
  for (const name of columns.attributeNames) {
    const { column, rows } = columns.attribute(name)!
    if (rows === undefined) {
      column.markHits(condition, found, selected)
      continue
    }
    const hits = hitMarks.take(rows.length, 0)
    column.markHits(condition, hits, marksOf(rows, selected))
    for (let i = hits.indexOf(1); i !== -1; i = hits.indexOf(1, i + 1)) found[rows[i]!] = 1
  }
  keepHits(selected, found, isNegated)
}
