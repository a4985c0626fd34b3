/** The stages of a query as functions of a record. */

import type { TextMatcher } from '../../language/ast.ts'
import { parseJsonPath } from '../../language/json-path.ts'
import { matchLinePattern, parseLinePattern } from '../../language/line-pattern.ts'
import { logqlName } from '../../language/logql-names.ts'
import type { Assignment, Extraction, Stage } from '../../language/stage.ts'
import { parseTemplate, type TemplatePart } from '../../language/template.ts'
import { conditionOfFilter, conditionOfMatcher, holds } from '../../match/condition.ts'
import { compileCapturing } from '../../match/pattern.ts'
import { beforeMatch } from '../../threads/turn.ts'
import { flatten, type JsonValue, readJson, textAt } from './json.ts'
import { readLogfmt } from './logfmt.ts'
import { type Question, questionOf, verdicts } from './questions.ts'
import { type Rendered, RenderFailure, render } from './render.ts'
import type { Row } from './row.ts'

/** Whether the record stays; and does to it what the stage does. */
export type RowStage = (row: Row) => boolean

/** Runs the stages in their order, until one lets the record go. Throws TurnOver. */
export function pipelineOf(stages: readonly Stage[]): RowStage {
  const steps = stages.map(stageStep)
  return row => {
    beforeMatch(row.line.length)
    for (const step of steps) if (!step(row)) return false
    return true
  }
}

/** One stage alone. */
export function stageStep(stage: Stage): RowStage {
  switch (stage.kind) {
    case 'line': {
      const condition = conditionOfFilter(stage.filter)
      return row => holds(condition, row.line)
    }
    case 'filter':
      return conditionStep(questionOf(stage.condition))
    case 'json':
      return stage.extractions.length === 0 ? always(readAllJson) : jsonStep(stage.extractions)
    case 'logfmt':
      return logfmtStep(stage)
    case 'regexp':
      return regexpStep(stage.text)
    case 'pattern':
      return patternStep(stage.text)
    case 'unpack':
      return always(unpack)
    case 'decolorize':
      return always(row => {
        row.line = row.line.replaceAll(colorCodes, '')
      })
    case 'line_format':
      return lineFormatStep(stage.text)
    case 'label_format':
      return labelFormatStep(stage.assignments)
    case 'keep':
      return keepStep(stage.labels)
    case 'drop':
      return dropStep(stage.labels)
    case 'distinct':
      // Which records are the first of all is known from elsewhere: see query/distinct.ts.
      return () => true
  }
}

const always =
  (change: (row: Row) => void): RowStage =>
  row => {
    change(row)
    return true
  }

/** Whether the condition holds. What the value of a label cannot tell is noted, and the record stays. */
function conditionStep(question: Question): RowStage {
  if ('questions' in question) {
    const steps = question.questions.map(conditionStep)
    return question.areAllWanted
      ? row => steps.every(step => step(row))
      : row => steps.some(step => step(row))
  }
  const { label, passesFailed, unit } = question
  return row => {
    if (passesFailed && row.hasFailed) return true
    const text = row.label(label)
    const verdict = question.ask(text)
    if (verdict !== verdicts.alone) return verdict === verdicts.yes
    row.fail('LabelFilterErr', `${label} is no ${unitNames[unit!]}: ${JSON.stringify(text)}`)
    return true
  }
}

const unitNames = { number: 'number', duration: 'duration', bytes: 'size' } as const

function readAllJson(row: Row): void {
  const value = objectOf(row)
  if (value !== undefined) flatten(value, (key, text) => row.extract(key, text))
}

/** The JSON object that a line is; undefined when it is not one, which is then noted. */
function objectOf(row: Row): JsonValue | undefined {
  const value = readJson(row.line)
  if (value?.kind === 'object') return value
  row.fail('JSONParserErr', value === undefined ? 'the line is no JSON' : 'the line is no object')
  return undefined
}

function jsonStep(extractions: readonly Extraction[]): RowStage {
  const paths = extractions.map(({ label, path }) => ({ label, steps: parseJsonPath(path)! }))
  return always(row => {
    if (row.line === '') return
    const value = readJson(row.line)
    if (value === undefined) {
      row.fail('JSONParserErr', 'the line is no JSON')
      return
    }
    for (const { label, steps } of paths) row.extract(label, textAt(value, steps))
  })
}

function logfmtStep({
  extractions,
  isStrict,
  keepsEmpty,
}: Extract<Stage, { kind: 'logfmt' }>): RowStage {
  const labelsByPath = Map.groupBy(extractions, ({ path }) => path)
  return always(row => {
    const at = readLogfmt(row.line, isStrict, (key, value) => {
      if (value === '' && !keepsEmpty) return
      if (extractions.length === 0) row.extract(key, value)
      else for (const { label } of labelsByPath.get(key) ?? []) row.extract(label, value)
    })
    if (at !== undefined) row.fail('LogfmtParserErr', `no key and value at character ${at + 1}`)
  })
}

function regexpStep(expression: string): RowStage {
  const pattern = compileCapturing(expression)
  const names = Object.keys(pattern.namedGroups())
  return always(row => {
    beforeMatch(row.line.length)
    const matcher = pattern.matcher(row.line)
    if (!matcher.find()) return
    for (const name of names) row.extract(name, matcher.group(name) ?? '')
  })
}

function patternStep(text: string): RowStage {
  const pattern = parseLinePattern(text)
  if (typeof pattern === 'string') throw new TypeError(`no pattern: ${text}`)
  return always(row =>
    matchLinePattern(pattern, row.line, (name, value) => row.extract(name, value)),
  )
}

/**
 * What Promtail has packed: labels with the line, under `_entry`, in one JSON object. As in LogQL an
 * object without `_entry` is nothing packed, and stays as it is.
 */
function unpack(row: Row): void {
  if (row.line === '') return
  const value = objectOf(row)
  if (value?.kind !== 'object') return
  const texts = value.members.filter(([, member]) => member.kind === 'text')
  const entry = texts.findLast(([key]) => key === '_entry')
  if (entry === undefined) return
  row.line = entry[1].text
  for (const [key, member] of texts) if (key !== '_entry') row.extract(key, member.text)
}

/** What terminals take for colours, and other orders to them: ECMA-48's control sequences, 5.4. */
const colorCodes = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]/g

function lineFormatStep(text: string): RowStage {
  const template = templateOf(text)
  return always(row => {
    const made = renderRow(template, row)
    if (made !== undefined) row.line = made
  })
}

function labelFormatStep(assignments: readonly Assignment[]): RowStage {
  const made = assignments.map(assignment => ({
    assignment,
    template: 'template' in assignment ? templateOf(assignment.template) : undefined,
  }))
  return always(row => {
    let seen: RenderedRow | undefined
    for (const { assignment, template } of made) {
      if ('from' in assignment) {
        const value = row.label(assignment.from)
        if (value === '') continue
        seen?.keep(assignment.label, assignment.from)
        row.set(assignment.label, value)
        if (assignment.from !== assignment.label) row.remove(assignment.from)
      } else {
        seen ??= new RenderedRow(row)
        const text = renderRow(template!, row, seen)
        if (text === undefined) continue
        seen.keep(assignment.label)
        row.set(assignment.label, text)
      }
    }
  })
}

/** A record as all templates of one stage see it: with the labels that it had at the first of them. */
class RenderedRow implements Rendered {
  readonly #row: Row
  readonly #kept = new Map<string, string>()

  constructor(row: Row) {
    this.#row = row
  }

  get line(): string {
    return this.#row.line
  }

  get timestamp(): number {
    return this.#row.timestamp
  }

  label(name: string): string {
    return this.#kept.get(logqlName(name)) ?? this.#row.label(name)
  }

  /** To be called before these labels change. */
  keep(...names: readonly string[]): void {
    for (const name of names) this.#kept.set(logqlName(name), this.label(name))
  }
}

function templateOf(text: string): readonly TemplatePart[] {
  const parts = parseTemplate(text)
  if (typeof parts === 'string') throw new TypeError(`no template: ${text}`)
  return parts
}

/** Undefined where the template has failed, which is then noted. */
function renderRow(
  template: readonly TemplatePart[],
  row: Row,
  seen: Rendered = row,
): string | undefined {
  try {
    return render(template, seen)
  } catch (error) {
    if (!(error instanceof RenderFailure)) throw error
    row.fail('TemplateFormatErr', error.message)
    return undefined
  }
}

type Choice = readonly (string | TextMatcher)[]

/** For each label whether it is meant of a record. */
function chosenOf(labels: Choice): readonly { name: string; isMeant: (row: Row) => boolean }[] {
  return labels.map(label => {
    if (typeof label === 'string') return { name: label, isMeant: () => true }
    const condition = conditionOfMatcher(label)
    return { name: label.label, isMeant: row => holds(condition, row.label(label.label)) }
  })
}

function keepStep(labels: Choice): RowStage {
  const chosen = chosenOf(labels)
  return always(row => {
    row.keep(chosen.filter(({ isMeant }) => isMeant(row)).map(({ name }) => name))
  })
}

function dropStep(labels: Choice): RowStage {
  const chosen = chosenOf(labels)
  return always(row => {
    for (const { name, isMeant } of chosen) if (isMeant(row)) row.remove(name)
  })
}
