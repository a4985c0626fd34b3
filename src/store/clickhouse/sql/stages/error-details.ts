/** What is said of what went wrong with a record, under `__error_details__`. */
import { logqlName } from '../../../../language/logql-names.ts'
import type { Stage } from '../../../../language/stage.ts'
import { errorDetailsLabel } from '../../../../query/stages/row.ts'
import type { Definitions } from './definitions.ts'
import type { Found, StagedRecord } from './staged-record.ts'
import { choose, unknown } from './unknown.ts'

/** Behind a stage, of which records are known before and behind it. */
export function detailsAfter(
  stage: Stage,
  before: StagedRecord,
  { error }: Pick<StagedRecord, 'error'>,
  defined: Definitions,
): Found {
  const { details } = before
  if (stage.kind === 'drop') return isDropped(stage.labels) ? { isThere: '0', text: "''" } : details
  if (before.error === error) return details
  const hasFailed = defined.define(`(${before.error} = '' AND ${error} != '')`)
  const text = detailsOf(stage, before.line)
  return {
    isThere: defined.define(choose(hasFailed, '1', details.isThere)),
    text: defined.define(choose(hasFailed, text, details.text)),
  }
}

/** One that is dropped on a condition is not told by `drop` itself. */
function isDropped(labels: Extract<Stage, { readonly labels: unknown }>['labels']): boolean {
  return labels.some(label => typeof label === 'string' && logqlName(label) === errorDetailsLabel)
}

/** Of a record with which the stage is what went wrong. */
function detailsOf(stage: Stage, line: string): string {
  if (stage.kind !== 'json') return unknown
  // What begins as JSON does may be JSON, but no object.
  const mayBeJson = `match(${line}, '^[ \\t\\n\\r]*(?:["[{0-9-]|true|false|null)')`
  return `if(${mayBeJson}, NULL, 'the line is no JSON')`
}
