/**
 * What must be so of records as they came for any of them to come through stages. Told by their words, before
 * a line is made or parsed, so that blocks are left out (`query/prune.ts`). Errs on one side: where nobody
 * knows what must be so, nothing has to.
 *
 * A label that is asked for by its text is the record's own, or was found in its line. There it stands
 * as it is, unless its parser reads escapes (JSON, logfmt): then the line may have one of these instead.
 */

import { parseLinePattern } from '../../language/line-pattern.ts'
import { logqlName } from '../../language/logql-names.ts'
import type { Comparison, Condition, Stage } from '../../language/stage.ts'
import {
  conditionOfFilter,
  conditionOfMatcher,
  type Condition as LineCondition,
  quoted,
} from '../../match/condition.ts'
import { literalChoices } from '../../match/literals.ts'
import { seriesLabels } from '../../record.ts'
import type { WantedConditions } from '../../segment/skip/verdict.ts'
import { wordsOf } from '../../segment/tokens.ts'
import { errorDetailsLabel, errorLabel } from './row.ts'

/** A condition on a label that records came with, under any name that LogQL has for it. */
interface OwnNeed {
  readonly key: string
  readonly condition: LineCondition
  readonly known: Map<string, WantedConditions | undefined>
}

/** At least one of all that it lists holds for each record that comes through. */
export interface Need {
  readonly ofMessages: readonly WantedConditions[]
  readonly ofOwn: readonly OwnNeed[]
}

/**
 * What to ask of a block: one of it holds for each record. `names`: of its attributes, asked for only when
 * what comes before does not hold.
 */
export function* alternativesOf(
  { ofMessages, ofOwn }: Need,
  names: () => Iterable<string>,
): Generator<WantedConditions> {
  yield* ofMessages
  if (ofOwn.length === 0) return
  for (const name of names()) {
    for (const own of ofOwn) {
      const wanted = wantedOf(own, name)
      if (wanted !== undefined) yield wanted
    }
  }
}

/** The same object for the same name: what is found out about it is remembered by that. */
function wantedOf({ key, condition, known }: OwnNeed, name: string): WantedConditions | undefined {
  const wanted = known.get(name)
  if (wanted !== undefined || known.has(name)) return wanted
  const attribute = { name, condition, passesAbsent: false }
  const made =
    logqlName(name) === key
      ? { attributeConditions: [attribute], messageConditions: [] }
      : undefined
  if (known.size < knownNamesMax) known.set(name, made)
  return made
}

const knownNamesMax = 10_000

/** All of which hold for each record that comes through the stages. */
export function needsOf(stages: readonly Stage[]): readonly Need[] {
  const needs: Need[] = []
  const before = new Before()
  for (const stage of stages) {
    switch (stage.kind) {
      case 'json':
      case 'logfmt':
        before.addParser('escapes', true)
        break
      case 'regexp':
        before.addParser('texts', false)
        break
      case 'pattern':
        before.addParser('texts', capturesWholeWords(stage.text))
        break
      case 'keep':
      case 'drop':
        break
      case 'label_format':
        for (const { label } of stage.assignments) before.made.add(logqlName(label))
        break
      case 'line':
        needs.push({ ofMessages: [aboutMessage(conditionOfFilter(stage.filter))], ofOwn: [] })
        break
      case 'filter':
        needs.push(...needsOfCondition(stage.condition, before))
        break
      default:
        // Lines are others from here on, or records behind it depend on those that come to it.
        return needs
    }
  }
  return needs
}

/** The stages before a filter. */
class Before {
  /** Labels that have been made of others, under LogQL's names. */
  readonly made = new Set<string>(notFound)
  /** Whether anything is found in lines. */
  hasFound = false
  readsEscapes = false
  /** Whether letters and digits at either end of what was found have none of these beside them. */
  findsWholeWords = true

  addParser(reads: 'escapes' | 'texts', findsWholeWords: boolean): void {
    this.hasFound = true
    this.readsEscapes ||= reads === 'escapes'
    this.findsWholeWords &&= findsWholeWords
  }
}

/** Labels that are neither attributes nor found. */
const notFound = [...seriesLabels, errorLabel, errorDetailsLabel].map(logqlName)

function capturesWholeWords(pattern: string): boolean {
  const parts = parseLinePattern(pattern)
  if (typeof parts === 'string') throw new TypeError(`no pattern: ${pattern}`)
  return parts.every(
    part => typeof part !== 'string' || /^[^A-Za-z0-9](?:.*[^A-Za-z0-9])?$/s.test(part),
  )
}

function needsOfCondition(condition: Condition, before: Before): readonly Need[] {
  switch (condition.kind) {
    case 'text': {
      const need = needOfText(condition, before)
      return need === undefined ? [] : [need]
    }
    case 'and':
      return condition.conditions.flatMap(one => needsOfCondition(one, before))
    case 'or': {
      const firsts = condition.conditions.map(one => needsOfCondition(one, before)[0])
      if (!firsts.every(one => one !== undefined)) return []
      const ofMessages = firsts.flatMap(one => one.ofMessages)
      return [{ ofMessages, ofOwn: firsts.flatMap(one => one.ofOwn) }]
    }
    default:
      return [] // A number may be written in many ways.
  }
}

function needOfText(
  matcher: Extract<Comparison, { kind: 'text' }>,
  before: Before,
): Need | undefined {
  const { label, operator, value } = matcher
  const key = logqlName(label)
  const literals = before.made.has(key) ? [] : literalsOf(operator, value)
  if (literals.length === 0) return undefined
  const own = { key, condition: conditionOfMatcher(matcher), known: new Map() }
  if (!before.hasFound) return { ofMessages: [], ofOwn: [own] }
  const areWhole = operator === '=' && before.findsWholeWords
  const conditions = literals.map(literal => holding(literal, areWhole))
  if (before.readsEscapes) {
    for (const begun of new Set(literals.map(escapeOf))) conditions.push(holding(begun, false))
  }
  return { ofMessages: conditions.map(aboutMessage), ofOwn: [own] }
}

/** More alternatives than that are not worth asking for. */
const choicesMax = 16

/** Of which a label has one if it passes; none when nobody knows. */
function literalsOf(operator: Comparison['operator'], value: string): readonly string[] {
  if (operator !== '=' && operator !== '=~') return []
  const literals =
    operator === '=' ? [value] : literalChoices(value).map(([longest = '']) => longest)
  // What is no UTF-8 is read as U+FFFD, and has not these bytes.
  const areKnown = literals.every(one => one !== '' && !/[\ufffd\ud800-\udfff]/u.test(one))
  return areKnown && literals.length <= choicesMax ? literals : []
}

/** How the escape of any character of a text begins, in JSON. */
function escapeOf(text: string): string {
  return /["\\/\u0000-\u001f]/.test(text) ? '\\' : '\\u'
}

function holding(text: string, areWordsWhole: boolean): LineCondition {
  const bytes = Buffer.from(text)
  if (!areWordsWhole) return { test: { kind: 'contains', text, bytes }, isNegated: false }
  const matches = (line: string) => line.includes(text)
  const pattern = { source: quoted(text), words: wordsOf(bytes), matches }
  return { test: { kind: 'matches', pattern }, isNegated: false }
}

function aboutMessage(condition: LineCondition): WantedConditions {
  return { attributeConditions: [], messageConditions: [condition] }
}
