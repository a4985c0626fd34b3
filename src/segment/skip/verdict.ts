/**
 * What the skip index of a run says about a block: that none of its records matches, or how many do, without
 * a look at the block. It errs on one side: in doubt a block is scanned.
 */
import type { MessagePattern } from '../../columns/patterns/message-pattern.ts'
import type { PlainColumn } from '../../columns/plain.ts'
import { verdictOnTemplate } from '../../columns/search.ts'
import type { Word } from '../../columns/search-word.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import { type AttributeCondition, type Condition, holds, type Test } from '../../match/condition.ts'
import { literalChoices } from '../../match/literals.ts'
import type { Pattern } from '../../match/pattern.ts'
import type { SegmentFile } from '../segment-file.ts'
import { mayContainWord } from '../token-filter.ts'
import { wordsOfTest } from '../tokens.ts'
import { mayHoldRuns } from './bit-filter.ts'
import { digitRunsOf } from './digit-runs.ts'
import { letterRunsOf } from './letter-runs.ts'
import { type SkipIndex, textKinds } from './skip-index.ts'

/** What is asked of records, as far as a skip index can tell; all of it must hold. */
export interface WantedConditions {
  readonly attributeConditions: readonly AttributeCondition[]
  readonly messageConditions: readonly Condition[]
  /** On the ids of the kinds of messages. */
  readonly patternConditions?: readonly Condition[]
}

/** What tells that no record of a block can match, or how many do; undefined: records may match. */
export type SkipVerdict = 'filter' | 'template' | { readonly count: number } | undefined

/** The verdict on block number `block` of a run. Throws SegmentCorrupt. */
export function verdictOf(
  index: SkipIndex,
  block: number,
  wanted: WantedConditions,
  file: () => SegmentFile,
): SkipVerdict {
  const { attributeConditions, messageConditions, patternConditions = [] } = wanted
  const mayHoldWords = (test: Test) => {
    const filter = index.filter(block)
    if (filter === undefined) return true
    const words = wordsOfTest(test)
    if (words.length === 0) return true
    const readPage = (page: number) => index.filterPage(block, page, file)
    return words.every(word => mayContainWord(readPage, filter.pageCount, word))
  }
  const recordCount = index.recordCount(block)
  let passing = recordCount
  // From the counts of two conditions it does not follow how many records pass both.
  let isDecided = true
  const narrow = (count: number | undefined) => {
    if (count === recordCount) return
    isDecided &&= count !== undefined && passing === recordCount
    passing = count ?? recordCount
  }
  for (const attribute of attributeConditions) {
    const { name, condition, passesAbsent } = attribute
    const kind = index.attributeKind(block, name)
    if (kind === textKinds.absent) {
      if (!passesAbsent) return 'filter'
      continue
    }
    const isTold = kind === textKinds.filtered && !condition.isNegated
    if (isTold && !mayHoldWords(condition.test)) return 'filter'
    const count = countOnValues(index, block, attribute, file)
    if (count === 0) return 'filter'
    narrow(count)
  }
  for (const condition of patternConditions) {
    const count = countOnPatterns(index, block, condition, file)
    if (count === 0) return 'template'
    narrow(count)
  }
  if (messageConditions.length === 0) {
    const isAsked = attributeConditions.length + patternConditions.length > 0
    return isDecided && isAsked ? { count: passing } : undefined
  }
  const letters = index.letters(block)
  const isTold = index.messageKind(block) === textKinds.filtered
  for (const { test, isNegated } of messageConditions) {
    if (isNegated) continue
    const choices = choicesOf(test)
    if (!choices.some(runs => mayHoldRuns(letters, runs.letters))) return 'filter'
    if (isTold && !mayHoldWords(test)) return 'filter'
    if (choices.some(runs => runs.digits.length === 0)) continue
    const digits = index.digits(block, file)
    if (!choices.some(runs => mayHoldRuns(digits, runs.digits))) return 'filter'
  }
  const count = countOnTemplates(index, block, messageConditions, file)
  if (count === 0) return 'template'
  narrow(count)
  return isDecided ? { count: passing } : undefined
}

/** How many records of a block pass a condition, by the values that its attribute has; undefined when they
 *  are not in the index. */
function countOnValues(
  index: SkipIndex,
  block: number,
  { name, condition, passesAbsent }: AttributeCondition,
  file: () => SegmentFile,
): number | undefined {
  const values = index.valuesOf(name, file)
  if (values === undefined) return undefined
  const hits = hitsOnValues(index, condition, values.texts)
  const counts = values.counts[block]!
  const passes = condition.isNegated ? 0 : 1
  let count = 0
  let present = 0
  for (let i = 0; i < counts.length; i++) {
    present += counts[i]!
    if (hits[i] === passes) count += counts[i]!
  }
  return passesAbsent ? count + index.recordCount(block) - present : count
}

/** How many messages of a block are of kinds whose ids pass; undefined when they are not in the index. */
function countOnPatterns(
  index: SkipIndex,
  block: number,
  condition: Condition,
  file: () => SegmentFile,
): number | undefined {
  const told = index.toldPatterns(block, file)
  if (told === undefined) return undefined
  const { patterns, counts } = told
  let count = 0
  for (const [kind, pattern] of patterns.entries()) {
    if (!passesPattern(condition, pattern)) continue
    for (let at = kind; at < counts.length; at += patterns.length) count += counts[at]!
  }
  return count
}

/** Whether a kind's id meets a condition: asked once for all blocks. */
export function passesPattern(condition: Condition, pattern: MessagePattern): boolean {
  const known = getOrInsertComputed(passingPatterns, condition, () => new WeakMap())
  return getOrInsertComputed(known, pattern, () => holds(condition, pattern.id))
}

/** Runs share most of their kinds. */
const passingPatterns = new WeakMap<Condition, WeakMap<MessagePattern, boolean>>()

/** For all blocks of a run at once, as long as the query lives. */
const knownHits = new WeakMap<Condition, WeakMap<SkipIndex, Uint8Array>>()

function hitsOnValues(index: SkipIndex, condition: Condition, texts: PlainColumn): Uint8Array {
  const byIndex = getOrInsertComputed(knownHits, condition, () => new WeakMap())
  return getOrInsertComputed(byIndex, index, () => {
    const hits = new Uint8Array(texts.valueCount)
    texts.markHits(condition, hits, undefined)
    return hits
  })
}

/** What a text has that has a piece of text. */
interface Runs {
  readonly letters: Uint32Array
  readonly digits: Uint32Array
}

/** The runs of a test: a text that passes has all runs of one of the choices. */
const choicesByTest = new WeakMap<Test, readonly Runs[]>()

function choicesOf(test: Test): readonly Runs[] {
  let choices = choicesByTest.get(test)
  if (choices === undefined) {
    choices =
      test.kind === 'matches'
        ? literalsOf(test.pattern).map(literals => runsOf(literals.map(text => Buffer.from(text))))
        : [runsOf([test.bytes])]
    choicesByTest.set(test, choices)
  }
  return choices
}

function runsOf(pieces: readonly Uint8Array[]): Runs {
  const all = (runsIn: (piece: Uint8Array) => Uint32Array) =>
    Uint32Array.from(pieces.flatMap(piece => [...runsIn(piece)]))
  return { letters: all(letterRunsOf), digits: all(digitRunsOf) }
}

/** Runs have no case, so that a text in any case has those that it has in lower case. */
function literalsOf({ inAnyCase, source }: Pattern): string[][] {
  if (inAnyCase === undefined) return literalChoices(source)
  return [inAnyCase.text, ...inAnyCase.exceptions].map(text => [text])
}

/** Of how many messages of a block the templates alone tell that they match; undefined when they do not
 *  tell of all. */
function countOnTemplates(
  index: SkipIndex,
  block: number,
  conditions: readonly Condition[],
  file: () => SegmentFile,
): number | undefined {
  const templates = index.templates(file)
  const numbers = templates.numbers(block)
  const counts = templates.counts(block)
  if (numbers === undefined || counts === undefined) return undefined
  const verdicts = verdictsOnTemplates(index, templates.texts, conditions)
  let sum = 0
  let isTold = true
  for (let i = 0; i < numbers.length; i++) {
    const verdict = verdicts[numbers[i]!]!
    if (verdict === some) isTold = false
    else if (verdict === all) sum += counts[i]!
    if (!isTold && sum > 0) return undefined
  }
  return isTold ? sum : undefined
}

/** Of a template: none of its texts match, some may, or all do. */
export const [none, some, all] = [0, 1, 2] as const
const verdictNumbers = { none, some, all } as const

/** For all blocks of a run at once: its templates are those of most of its blocks. */
const known = new WeakMap<readonly Condition[], WeakMap<SkipIndex, Uint8Array>>()

export function verdictsOnTemplates(
  index: SkipIndex,
  texts: readonly string[],
  conditions: readonly Condition[],
): Uint8Array {
  const byIndex = getOrInsertComputed(known, conditions, () => new WeakMap())
  let verdicts = byIndex.get(index)
  if (verdicts === undefined) {
    const mayHold = variablesHolding(index.variableLetters)
    verdicts = new Uint8Array(texts.length)
    for (let i = 0; i < texts.length; i++) {
      verdicts[i] = verdictOn(texts[i]!, conditions, mayHold)
    }
    byIndex.set(index, verdicts)
  }
  return verdicts
}

/** Whether any variable of a run may hold a word, by the letters that they have: looked up once a word. */
function variablesHolding(letters: Uint8Array): (word: Word) => boolean {
  const known = new Map<Word, boolean>()
  const look = (word: Word) =>
    mayHoldRuns(letters, getOrInsertComputed(lettersByWord, word, lettersOf))
  return word => getOrInsertComputed(known, word, look)
}

const lettersByWord = new WeakMap<Word, Uint32Array>()

function lettersOf(word: Word): Uint32Array {
  return letterRunsOf(word.bytes)
}

function verdictOn(
  text: string,
  conditions: readonly Condition[],
  mayHold: (word: Word) => boolean,
): number {
  let verdict: number = all
  for (let i = 0; i < conditions.length; i++) {
    const { test, isNegated } = conditions[i]!
    const own = verdictNumbers[verdictOnTemplate(text, test, mayHold)]
    verdict = Math.min(verdict, isNegated ? all - own : own)
    if (verdict === none) return none
  }
  return verdict
}
