/**
 * Templates in SQL: what one gives for a record, unknown where it fails, or where a function does to a text
 * what SQL does not say.
 */
import type { Command, Operand, Pipeline, TemplatePart } from '../../../../language/template.ts'
import type { Definitions } from './definitions.ts'
import { textOf } from './filters.ts'
import type { StagedRecord } from './staged-record.ts'
import { dateFunctions } from './template-dates.ts'
import { formFunctions } from './template-forms.ts'
import { numberFunctions } from './template-numbers.ts'
import { type SqlFunction, textFunctions } from './template-texts.ts'
import { instantValue, isTrue, onceKnown, textOfValue, type Value } from './template-values.ts'
import { choose, unknown, whereKnown } from './unknown.ts'

/** The functions that SQL has. */
export const sqlFunctions: Readonly<Record<string, SqlFunction>> = {
  ...textFunctions,
  ...numberFunctions,
  ...formFunctions,
  ...dateFunctions,
}

/** The text that a template gives for a record. */
export function renderedText(
  parts: readonly TemplatePart[],
  record: StagedRecord,
  defined: Definitions,
): string {
  const texts = parts.map(part => {
    if (part.kind === 'text') return givenText(part.text, defined).sql
    if (part.kind === 'action')
      return textOfValue(resultOf(part.pipeline, record, defined), defined)
    const then = renderedText(part.then, record, defined)
    const otherwise = renderedText(part.otherwise, record, defined)
    const test = isTrue(resultOf(part.test, record, defined), defined)
    // Where the test fails so does the template, whatever there is to choose from.
    return defined.define(whereKnown([test], choose(test, then, otherwise)))
  })
  return defined.define(`concat('', ${texts.join(', ') || "''"})`)
}

function givenText(text: string, defined: Definitions): Value {
  if (!text.isWellFormed()) defined.giveUp()
  return { kind: 'text', sql: defined.bound.text(text), given: text }
}

function resultOf(pipeline: Pipeline, record: StagedRecord, defined: Definitions): Value {
  let value: Value | undefined
  for (const command of pipeline) value = commandOf(command, value, record, defined)
  return value!
}

function commandOf(
  command: Command,
  piped: Value | undefined,
  record: StagedRecord,
  defined: Definitions,
): Value {
  if (command.kind !== 'call') return operandOf(command, record, defined)
  const operands = command.operands.map(operand => operandOf(operand, record, defined))
  if (piped !== undefined) operands.push(piped)
  if (command.name === '__line__') return { kind: 'text', sql: record.line }
  if (command.name === '__timestamp__') return instantValue({ ms: 'Time', nanos: '0' })
  const made = sqlFunctions[command.name]?.(operands, defined)
  if (made !== undefined) return onceKnown(made, operands, defined)
  defined.giveUp()
  return { kind: 'text', sql: unknown }
}

function operandOf(operand: Operand, record: StagedRecord, defined: Definitions): Value {
  if (operand.kind === 'label') {
    return { kind: 'text', sql: textOf(operand.name, record, defined) }
  }
  if (operand.kind === 'text') return givenText(operand.text, defined)
  return resultOf(operand.pipeline, record, defined)
}
