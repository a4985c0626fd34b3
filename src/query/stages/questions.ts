/**
 * What a stage asks of labels: of one record (`pipeline.ts`), or of many at once, where a value that many of
 * them have is asked about once. Where the answer is more than yes or no, because a value cannot be read,
 * such a record is then looked at alone.
 */

import { type Quantity, readersOf } from '../../language/quantity.ts'
import type { Comparison, Condition } from '../../language/stage.ts'
import { conditionOfMatcher, holds, ofAddresses } from '../../match/condition.ts'
import { beforeMatch } from '../../threads/turn.ts'
import { comparisons } from '../matcher-condition.ts'
import type { LabelValues } from './label-values.ts'

/** Of one record: no, yes, or to be asked of the record alone. Each of the last two is a bit. */
export const verdicts = { no: 0, yes: 1, alone: 2 } as const
type Verdict = (typeof verdicts)[keyof typeof verdicts]
const unasked = 3

/** A comparison, or several of which all or any must hold. */
export type Question =
  | {
      readonly label: string
      /** Whether records with which something went wrong pass: an earlier stage, or that a value cannot be
       *  read, as in LogQL. Only texts can be asked of these, `__error__` above all. */
      readonly passesFailed: boolean
      /** Of the quantity that is asked for: of another text nobody knows, and that is noted. */
      readonly unit?: Quantity['unit']
      /** Of a value's text, empty for a record without the label. */
      ask(text: string): Verdict
      /** The same for the text of a number, without that text. */
      readonly askNumber?: (value: number) => Verdict
    }
  | { readonly areAllWanted: boolean; readonly questions: readonly Question[] }

const verdictOf = (passes: boolean): Verdict => (passes ? verdicts.yes : verdicts.no)

/** `isNegated`: whether it must not hold, as after a `not`. */
export function questionOf(condition: Condition, isNegated = false): Question {
  switch (condition.kind) {
    case 'text': {
      const compiled = conditionOfMatcher(condition)
      const ask = (text: string) => verdictOf(holds(compiled, text) !== isNegated)
      return { label: condition.label, passesFailed: false, ask }
    }
    case 'address': {
      const { matches } = ofAddresses(condition.value)
      const isWanted = (condition.operator === '=') !== isNegated
      const ask = (text: string) => verdictOf(text === '' ? isNegated : matches(text) === isWanted)
      return { label: condition.label, passesFailed: true, ask }
    }
    case 'quantity':
      return quantityQuestion(condition, isNegated)
    case 'not':
      return questionOf(condition.condition, !isNegated)
    case 'and':
    case 'or': {
      const questions = condition.conditions.map(one => questionOf(one, isNegated))
      return { areAllWanted: (condition.kind === 'and') !== isNegated, questions }
    }
  }
}

function quantityQuestion(
  { label, operator, unit, value }: Extract<Comparison, { kind: 'quantity' }>,
  isNegated: boolean,
): Question {
  const read = readersOf[unit]
  const compare = comparisons[operator]
  const ask = (text: string) => {
    if (text === '') return verdictOf(isNegated)
    const actual = read(text)
    return actual === undefined ? verdicts.alone : verdictOf(compare(actual, value) !== isNegated)
  }
  // The same number means another quantity, or none, under another unit.
  if (unit !== 'number') return { label, passesFailed: true, unit, ask }
  const askNumber = (actual: number) => verdictOf(compare(actual, value) !== isNegated)
  return { label, passesFailed: true, unit, ask, askNumber }
}

/** Records that stages take together. */
export interface AskedRecords {
  readonly count: number
  /** Whether something has gone wrong with them. */
  readonly hasFailed: boolean
  /** Throws NotShared. */
  valuesOf(label: string): LabelValues
}

/** One verdict for each record that `isAsked` marks with 1; those of others mean nothing. Throws TurnOver. */
export function answer(question: Question, records: AskedRecords, isAsked: Uint8Array): Uint8Array {
  if ('questions' in question) return answerAll(question, records, isAsked)
  const given = new Uint8Array(records.count)
  if (question.passesFailed && records.hasFailed) return given.fill(verdicts.yes)
  const values = records.valuesOf(question.label)
  const { askNumber } = question
  const ask = (text: string) => {
    beforeMatch(text.length)
    return question.ask(text)
  }
  switch (values.kind) {
    case 'same':
      return given.fill(ask(values.text))
    case 'codes': {
      const { codes, codeCount, textOf } = values
      const known = new Uint8Array(codeCount).fill(unasked)
      for (let i = 0; i < given.length; i++) {
        if (isAsked[i] !== 1) continue
        const code = codes[i]!
        if (known[code] === unasked) known[code] = ask(textOf(code))
        given[i] = known[code]!
      }
      return given
    }
    case 'texts':
      if (values.numbers !== undefined && askNumber !== undefined) {
        answerNumbers(values.numbers(), values.textAt, { ask, askNumber }, isAsked, given)
        return given
      }
      for (let i = 0; i < given.length; i++) if (isAsked[i] === 1) given[i] = ask(values.textAt(i))
      return given
  }
}

/** `numbers`: NaN where a text is to be asked about. */
function answerNumbers(
  numbers: Float64Array,
  textAt: (index: number) => string,
  { ask, askNumber }: { ask(text: string): Verdict; askNumber(value: number): Verdict },
  isAsked: Uint8Array,
  given: Uint8Array,
): void {
  beforeMatch(given.length)
  for (let i = 0; i < given.length; i++) {
    if (isAsked[i] !== 1) continue
    const number = numbers[i]!
    given[i] = Number.isNaN(number) ? ask(textAt(i)) : askNumber(number)
  }
}

function answerAll(
  { areAllWanted, questions }: Extract<Question, { areAllWanted: boolean }>,
  records: AskedRecords,
  isAsked: Uint8Array,
): Uint8Array {
  const decides = areAllWanted ? verdicts.no : verdicts.yes
  const given = new Uint8Array(records.count).fill(areAllWanted ? verdicts.yes : verdicts.no)
  const isOpen = isAsked.slice()
  for (const question of questions) {
    const next = answer(question, records, isOpen)
    for (let i = 0; i < given.length; i++) {
      if (isOpen[i] !== 1) continue
      given[i] = next[i]!
      // Neither the others nor their failures are looked at; nor is a record that is asked alone.
      if (next[i] === decides || next[i] === verdicts.alone) isOpen[i] = 0
    }
  }
  return given
}
