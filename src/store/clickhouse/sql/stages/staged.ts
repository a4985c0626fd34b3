/**
 * The stages of a query as SQL. Of each record there is said what the stages make of it, or that it is
 * unknown: the former are counted there, the latter fetched and looked at by us.
 */
import type { TextMatcher } from '../../../../language/ast.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import type { Stage } from '../../../../language/stage.ts'
import { limits } from '../../../../limits.ts'
import { errorDetailsLabel, errorLabel } from '../../../../query/stages/row.ts'
import type { Definitions } from './definitions.ts'
import { detailsAfter } from './error-details.ts'
import { filtered, passesMatcher } from './filters.ts'
import { afterLabelFormat, afterLineFormat } from './formats.ts'
import { afterJson, afterJsonPaths } from './json.ts'
import { passesLine } from './line-filters.ts'
import { afterPattern, afterRegexp } from './lines.ts'
import { afterLogfmt } from './logfmt.ts'
import { recordAsItCame, type StagedRecord, withLabel, withLabelsKept } from './staged-record.ts'
import { allOf } from './unknown.ts'
import { afterUnpack } from './unpack.ts'

/** More stages are left to us. */
const stagesMax = 16

/** What a stage makes of a record. */
export interface StagedStep {
  readonly stage: Stage
  readonly before: StagedRecord
  readonly after: StagedRecord
}

export interface Staged {
  readonly steps: readonly StagedStep[]
  /** Behind all of them. */
  readonly record: StagedRecord
}

/** Undefined where they are not worth asking there. */
export function stagedBy(stages: readonly Stage[], defined: Definitions): Staged | undefined {
  if (stages.length > stagesMax) return undefined
  let before = recordAsItCame(lineBytesMax(stages), defined)
  const steps: StagedStep[] = []
  for (const stage of stages) {
    const next = after(stage, before, defined)
    if (next === undefined) return undefined
    const step = {
      stage,
      before,
      after: { ...next, details: detailsAfter(stage, before, next, defined) },
    }
    steps.push(step)
    before = step.after
  }
  return defined.isHopeless ? undefined : { steps, record: before }
}

/** Whether lines are as they came, where they are known. */
export function keepKnownLines(stages: readonly Stage[]): boolean {
  return !stages.some(({ kind }) => kind === 'line_format' || kind === 'unpack')
}

/** So that all labels made of a line fit (`query/stages/row.ts`), and half is left for those of labels. */
function lineBytesMax(stages: readonly Stage[]): number {
  let labels = 1
  for (const stage of stages) {
    if (stage.kind === 'regexp') labels += stage.text.split('(').length
    else labels += 'extractions' in stage ? Math.max(1, stage.extractions.length) : 1
  }
  return Math.floor(limits.queryMadeLabelsLengthMax / 2 / labels)
}

function after(stage: Stage, record: StagedRecord, defined: Definitions): StagedRecord | undefined {
  switch (stage.kind) {
    case 'line': {
      const holds = defined.define(passesLine(stage.filter, record.line, defined))
      return { ...record, passes: defined.define(allOf([record.passes, holds])) }
    }
    case 'filter':
      return filtered(record, stage.condition, defined)
    case 'json':
      if (stage.extractions.length === 0) return afterJson(record, defined)
      return afterJsonPaths(record, stage.extractions, defined)
    case 'logfmt':
      return afterLogfmt(record, stage, defined)
    case 'regexp':
      return afterRegexp(record, stage.text, defined)
    case 'pattern':
      return afterPattern(record, stage.text, defined)
    case 'line_format':
      return afterLineFormat(record, stage.text, defined)
    case 'label_format':
      return afterLabelFormat(record, stage.assignments, defined)
    case 'keep':
      return afterKeep(record, stage.labels, defined)
    case 'drop':
      return afterDrop(record, stage.labels, defined)
    case 'decolorize':
      return { ...record, line: defined.define(uncoloured(record.line, defined)) }
    case 'unpack':
      return afterUnpack(record, defined)
    case 'distinct':
      return undefined
  }
}

/** As `query/stages/pipeline.ts` has it. */
const colorCodes = '(?:\\x1b\\[|\\x{9b})[0-?]*[ -/]*[@-~]'

function uncoloured(line: string, { bound }: Definitions): string {
  return `replaceRegexpAll(${line}, ${bound.text(colorCodes)}, '')`
}

type Choice = readonly (string | TextMatcher)[]

function isMeant(one: string | TextMatcher, record: StagedRecord, defined: Definitions): string {
  return typeof one === 'string' ? '1' : passesMatcher(one, record, defined)
}

const keyOf = (one: string | TextMatcher) => logqlName(typeof one === 'string' ? one : one.label)

function afterKeep(record: StagedRecord, labels: Choice, defined: Definitions): StagedRecord {
  const isKept = (key: string) =>
    labels.filter(one => keyOf(one) === key).map(one => isMeant(one, record, defined))
  return withLabelsKept(record, isKept, defined)
}

function afterDrop(before: StagedRecord, labels: Choice, defined: Definitions): StagedRecord {
  let record = before
  for (const one of labels) {
    const key = keyOf(one)
    const isSet = isMeant(one, record, defined)
    if (key === errorLabel) {
      const error = `multiIf(isNull(${isSet}), NULL, ${isSet}, '', ${record.error})`
      record = { ...record, error: defined.define(error) }
    } else if (key !== errorDetailsLabel) {
      record = withLabel(record, key, { isSet, text: "''" }, defined)
    }
  }
  return record
}
