/** What filters ask of labels, and what goes wrong in them: as `query/stages/questions.ts` has it. */
import type { TextMatcher } from '../../../../language/ast.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import type { Comparison, Condition } from '../../../../language/stage.ts'
import { errorDetailsLabel, errorLabel } from '../../../../query/stages/row.ts'
import { hasAddress } from '../addresses.ts'
import { matchesExpression } from '../expression.ts'
import { quantityIn } from '../quantity.ts'
import type { Truth } from '../truth.ts'
import type { Definitions } from './definitions.ts'
import { errorText, type StagedRecord } from './staged-record.ts'
import { allOf, anyOf, choose, unknown } from './unknown.ts'

/** Whether a condition holds, and the record's error when it was looked at. */
interface Outcome {
  readonly holds: string
  readonly error: string
}

/** The record where the condition holds; what cannot be read is noted. */
export function filtered(
  before: StagedRecord,
  condition: Condition,
  defined: Definitions,
): StagedRecord {
  const { holds, error } = outcomeOf(
    condition,
    before,
    { error: before.error, isNegated: false },
    defined,
  )
  return { ...before, error, passes: defined.define(allOf([before.passes, holds])) }
}

/** The text of a label, as conditions ask for it. */
export function textOf(label: string, record: StagedRecord, defined: Definitions): string {
  const key = logqlName(label)
  if (key === errorLabel) return errorText(record, key, defined)
  if (key !== errorDetailsLabel) return record.label(label)
  defined.giveUp()
  return unknown
}

/** Whether a label's text passes. */
export function passesMatcher(
  { label, operator, value }: TextMatcher,
  record: StagedRecord,
  defined: Definitions,
): string {
  const { bound } = defined
  const text = textOf(label, record, defined)
  switch (operator) {
    case '=':
      return defined.define(`${text} = ${bound.text(value)}`)
    case '!=':
      return defined.define(`${text} != ${bound.text(value)}`)
    case '=~':
    case '!~': {
      const matches = matchesExpression(text, value, 'anchored', bound)
      const holds = known(matches)
      return defined.define(operator === '=~' ? holds : `NOT ${holds}`)
    }
  }
}

/** Unknown where it may hold, and is not exact. */
export function known({ sql, isExact }: Truth): string {
  if (isExact) return `(${sql})`
  return choose(`(${sql})`, unknown, '0')
}

interface Asked {
  readonly error: string
  readonly isNegated: boolean
}

function outcomeOf(
  condition: Condition,
  record: StagedRecord,
  { error, isNegated }: Asked,
  defined: Definitions,
): Outcome {
  switch (condition.kind) {
    case 'not':
      return outcomeOf(condition.condition, record, { error, isNegated: !isNegated }, defined)
    case 'and':
    case 'or': {
      const areAllWanted = (condition.kind === 'and') !== isNegated
      return severalOf(condition.conditions, areAllWanted, record, { error, isNegated }, defined)
    }
    case 'text': {
      const passes = passesMatcher(condition, { ...record, error }, defined)
      return { holds: isNegated ? defined.define(`NOT ${passes}`) : passes, error }
    }
    case 'address':
      return { holds: addressHolds(condition, record, { error, isNegated }, defined), error }
    case 'quantity':
      return quantityHolds(condition, record, { error, isNegated }, defined)
  }
}

/** One after the other: what decides, or goes wrong, in one is not looked at in the next. */
function severalOf(
  conditions: readonly Condition[],
  areAllWanted: boolean,
  record: StagedRecord,
  { error: first, isNegated }: Asked,
  defined: Definitions,
): Outcome {
  let error = first
  const all: string[] = []
  for (const condition of conditions) {
    const next = outcomeOf(condition, record, { error, isNegated }, defined)
    if (areAllWanted || all.length === 0) error = next.error
    else error = defined.define(choose(anyOf(all), error, next.error))
    all.push(next.holds)
  }
  return { holds: defined.define(areAllWanted ? allOf(all) : anyOf(all)), error }
}

function addressHolds(
  { label, operator, value }: Extract<Comparison, { kind: 'address' }>,
  record: StagedRecord,
  { error, isNegated }: Asked,
  defined: Definitions,
): string {
  const text = textOf(label, { ...record, error }, defined)
  const has = defined.define(hasAddress(`ifNull(${text}, '')`, value))
  const passes = (operator === '=') === isNegated ? `NOT ${has}` : has
  const holds = `multiIf(isNull(${error}) OR isNull(${text}), NULL, ${error} != '', 1,
    ${text} = '', ${Number(isNegated)}, ${passes})`
  return defined.define(holds)
}

function quantityHolds(
  { label, operator, unit, value }: Extract<Comparison, { kind: 'quantity' }>,
  record: StagedRecord,
  { error, isNegated }: Asked,
  defined: Definitions,
): Outcome {
  const text = textOf(label, { ...record, error }, defined)
  const read = quantityIn(text, unit, sql => defined.define(sql))
  const isWritten = defined.define(read.isWritten)
  const compared = `${read.value} ${operator} ${defined.bound.number(value)}`
  const passes = isNegated ? `NOT (${compared})` : `(${compared})`
  const isUnknown = `isNull(${error}) OR isNull(${text})`
  const holds = `multiIf(${isUnknown}, NULL, ${error} != '', 1, ${text} = '', ${Number(isNegated)},
    NOT ${isWritten}, 1, ${passes})`
  const failed = `multiIf(${isUnknown}, NULL, ${error} != '' OR ${text} = '', ${error},
    ${isWritten}, ${error}, 'LabelFilterErr')`
  return { holds: defined.define(holds), error: defined.define(failed) }
}
