/** Lines and labels that are made of others. */
import { logqlName } from '../../../../language/logql-names.ts'
import type { Assignment } from '../../../../language/stage.ts'
import { parseTemplate } from '../../../../language/template.ts'
import { limits } from '../../../../limits.ts'
import type { Definitions } from './definitions.ts'
import { textOf } from './filters.ts'
import { isErrorKey, type StagedRecord, withLabel } from './staged-record.ts'
import { madeBytesMax } from './template-values.ts'
import { renderedText } from './templates.ts'
import { whereKnown } from './unknown.ts'

export function afterLineFormat(
  before: StagedRecord,
  template: string,
  defined: Definitions,
): StagedRecord {
  const line = rendered(template, before, limits.queryTemplateTextMax, defined)
  return { ...before, line, error: defined.define(whereKnown([line], before.error)) }
}

export function afterLabelFormat(
  before: StagedRecord,
  assignments: readonly Assignment[],
  defined: Definitions,
): StagedRecord {
  let record = before
  let seen: StagedRecord | undefined
  for (const assignment of assignments) {
    const key = logqlName(assignment.label)
    if (isErrorKey(key)) defined.giveUp()
    if ('template' in assignment) {
      // All templates see the labels of the first one's time.
      seen ??= record
      const text = rendered(assignment.template, seen, madeBytesMax, defined)
      record = withError(withLabel(record, key, { isSet: '1', text }, defined), text, defined)
      continue
    }
    const text = short(textOf(assignment.from, record, defined), madeBytesMax, defined)
    const isSet = defined.define(`${text} != ''`)
    const from = logqlName(assignment.from)
    if (isErrorKey(from)) defined.giveUp()
    record = withError(withLabel(record, key, { isSet, text }, defined), text, defined)
    if (assignment.from !== assignment.label) {
      record = withLabel(record, from, { isSet, text: "''" }, defined)
    }
  }
  return record
}

function withError(record: StagedRecord, text: string, defined: Definitions): StagedRecord {
  return { ...record, error: defined.define(whereKnown([text], record.error)) }
}

function short(text: string, bytesMax: number, defined: Definitions): string {
  return defined.define(`if(length(${text}) <= ${bytesMax}, ${text}, NULL)`)
}

function rendered(
  template: string,
  record: StagedRecord,
  bytesMax: number,
  defined: Definitions,
): string {
  const parts = parseTemplate(template)
  if (typeof parts === 'string') throw new TypeError(`no template: ${template}`)
  return short(renderedText(parts, record, defined), bytesMax, defined)
}
