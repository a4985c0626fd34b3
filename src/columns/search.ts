/**
 * Marks the texts of a template column that pass a test.
 *
 * Contains and equals are decided on templates and variables alone: no text is made. So is a regular
 * expression, by its states (`search-states.ts`). One with too many states is tried on the texts that have
 * the literals which each of its matches must have; these texts are made.
 */

import { getOrInsertComputed } from '../get-or-insert.ts'
import type { Test } from '../match/condition.ts'
import { literalChoices } from '../match/literals.ts'
import type { Pattern } from '../match/pattern.ts'
import type { StateTable } from '../match/state-table.ts'
import { hasMark } from './codes.ts'
import { type Alignment, Needle } from './search-alignment.ts'
import { matchesOfTemplate, verdictByStates } from './search-states.ts'
import type { Word } from './search-word.ts'
import type { TemplateColumn } from './template/open.ts'
import { rebuildStrings } from './template/rebuild.ts'
import type { DirectoryTemplate } from './template/templates.ts'

/** Alternatives of an expression that are looked for one by one, and literals of each. With more, the
 *  search takes longer than the matching that it saves. */
const choicesMax = 16
const literalsMax = 3

/** Share of a template's texts from which on it is faster to make all of them than each for itself. */
const rebuiltShareMin = 0.25

/** What each test looks for, made when it is first used and gone with it: a query tests many blocks,
 *  and needles remember their alignments. */
const needlesByTest = new WeakMap<Test, readonly (readonly Needle[])[]>()

/** Marks with 1 the texts that pass; of those that are not wanted, any may be marked. */
export function markTest(
  column: TemplateColumn,
  test: Test,
  hits: Uint8Array,
  isWanted: Uint8Array | undefined,
): void {
  const choices = choicesOf(test)
  if (test.kind === 'matches' && test.pattern.inAnyCase !== undefined) {
    const [[needle], ...exceptions] = choices as [[Needle], ...Needle[][]]
    markNeedle(column, needle, hits, isWanted)
    if (exceptions.length > 0) markMatches(column, test.pattern, exceptions, hits, isWanted)
  } else if (test.kind === 'matches') {
    const isDone = test.pattern.states?.use(table => {
      markByStates(column, table, choices, hits, isWanted)
      return true
    })
    if (isDone !== true) markMatches(column, test.pattern, choices, hits, isWanted)
  } else markNeedle(column, choices[0]![0]!, hits, isWanted)
}

/** How many texts pass; undefined where some would have to be made. */
export function countTest(column: TemplateColumn, test: Test): number | undefined {
  const choices = choicesOf(test)
  if (test.kind !== 'matches') return countNeedle(column, choices[0]![0]!)
  const { inAnyCase, states } = test.pattern
  if (inAnyCase !== undefined) {
    return choices.length === 1 ? countNeedle(column, choices[0]![0]!) : undefined
  }
  return states?.use(table => countByStates(column, table, choices))
}

/** False when no template of the column fits the test, so that no text can pass. Reads no variable. */
export function mayPass(column: TemplateColumn, test: Test): boolean {
  for (const needles of choicesOf(test)) if (fitsAll(column, needles)) return true
  return false
}

function fitsAll(column: TemplateColumn, needles: readonly Needle[]): boolean {
  for (const needle of needles) if (!fitsAny(column, needle)) return false
  return true
}

/** What of the texts of a template passes: none, all, or nobody knows without their variables. */
export type TemplateVerdict = 'none' | 'all' | 'some'

/** `text`: a template in latin1, "0" for each variable; `mayHold`: whether a variable may hold a word. */
export function verdictOnTemplate(
  text: string,
  test: Test,
  mayHold: (word: Word) => boolean,
): TemplateVerdict {
  if (test.kind === 'matches' && !text.includes('0')) {
    return test.pattern.matches(Buffer.from(text, 'latin1').toString()) ? 'all' : 'none'
  }
  const choices = choicesOf(test)
  if (!mayHoldNeedles(text, choices, mayHold)) return 'none'
  if (test.kind === 'matches' && test.pattern.inAnyCase === undefined) {
    return test.pattern.states?.use(table => verdictByStates(table, text)) ?? 'some'
  }
  return choices[0]![0]!.alignmentsWith(text)[0]?.length === 0 ? 'all' : 'some'
}

/**
 * Whether all needles of one of the choices may lie in texts of a template. In plain loops, here and
 * below: functions and iterators made for each of ten thousand templates would be most of a search's garbage.
 */
function mayHoldNeedles(
  text: string,
  choices: readonly (readonly Needle[])[],
  mayHold: (word: Word) => boolean,
): boolean {
  for (let i = 0; i < choices.length; i++) {
    const needles = choices[i]!
    let areHeld = true
    for (let j = 0; j < needles.length && areHeld; j++) {
      areHeld = isAnyHeld(needles[j]!.alignmentsWith(text), mayHold)
    }
    if (areHeld) return true
  }
  return false
}

function isAnyHeld(alignments: readonly Alignment[], mayHold: (word: Word) => boolean): boolean {
  for (let i = 0; i < alignments.length; i++) {
    const alignment = alignments[i]!
    let isHeld = true
    for (let j = 0; j < alignment.length && isHeld; j++) isHeld = mayHold(alignment[j]!.word)
    if (isHeld) return true
  }
  return false
}

function fitsAny(column: TemplateColumn, needle: Needle): boolean {
  // Most needles that are nowhere end here, without a look at each template.
  for (const word of needle.words) if (!column.mayHoldWord(word)) return false
  const { templates } = column
  for (let id = 0; id < templates.length; id++) {
    const alignments = needle.alignmentsWith(templates.text(id))
    for (let i = 0; i < alignments.length; i++) {
      if (isPossible(column, templates.firstSlot(id), alignments[i]!)) return true
    }
  }
  return false
}

function isPossible(column: TemplateColumn, firstSlot: number, alignment: Alignment): boolean {
  for (let i = 0; i < alignment.length; i++) {
    const { slot, fit, word } = alignment[i]!
    if (!column.mayHold(firstSlot + slot, fit, word)) return false
  }
  return true
}

function choicesOf(test: Test): readonly (readonly Needle[])[] {
  return getOrInsertComputed(needlesByTest, test, needlesOf)
}

/** What a text must contain to pass: all needles of one of the choices. */
function needlesOf(test: Test): Needle[][] {
  if (test.kind === 'equals') return [[new Needle(test.bytes, { isWhole: true })]]
  if (test.kind === 'contains') return [[new Needle(test.bytes, { isWhole: false })]]
  const { inAnyCase, source } = test.pattern
  if (inAnyCase !== undefined) {
    const { text, exceptions } = inAnyCase
    const needle = new Needle(Buffer.from(text), { isWhole: false, isInAnyCase: true })
    return [[needle], ...exceptions.map(one => [new Needle(Buffer.from(one), { isWhole: false })])]
  }
  const choices = literalChoices(source)
  if (choices.length > choicesMax) return [[]]
  return choices.map(literals =>
    literals
      .slice(0, literalsMax)
      .map(literal => new Needle(Buffer.from(literal), { isWhole: false })),
  )
}

/** Marks the texts that a needle fits. */
function markNeedle(
  column: TemplateColumn,
  needle: Needle,
  hits: Uint8Array,
  isWanted: Uint8Array | undefined,
): void {
  const { templates } = column
  for (let id = 0; id < templates.length; id++) {
    const alignments = needle.alignmentsWith(templates.text(id))
    if (alignments.length === 0) continue
    if (alignments[0]!.length === 0) {
      markRows(column.rowsOf(id), hits)
    } else if (isWanted === undefined || hasWanted(column.rowsOf(id), isWanted)) {
      markAligned(column, id, alignments, hits)
    }
  }
}

function markRows(rows: ArrayLike<number>, hits: Uint8Array): void {
  for (let i = 0; i < rows.length; i++) hits[rows[i]!] = 1
}

function hasWanted(rows: ArrayLike<number>, isWanted: Uint8Array): boolean {
  for (let i = 0; i < rows.length; i++) {
    if (isWanted[rows[i]!] === 1) return true
  }
  return false
}

/** Marks the texts of one template for which the conditions of any of the alignments hold. */
function markAligned(
  column: TemplateColumn,
  id: number,
  alignments: readonly Alignment[],
  hits: Uint8Array,
): void {
  const found = findAligned(column, id, alignments)
  if (found !== undefined) markFound(column.rowsOf(id), found, hits)
}

function markFound(rows: ArrayLike<number>, found: Uint8Array, hits: Uint8Array): void {
  for (let i = 0; i < rows.length; i++) {
    if (found[i] === 1) hits[rows[i]!] = 1
  }
}

/** How many texts a needle fits. */
function countNeedle(column: TemplateColumn, needle: Needle): number {
  const { templates } = column
  let sum = 0
  for (let id = 0; id < templates.length; id++) {
    const alignments = needle.alignmentsWith(templates.text(id))
    if (alignments.length === 0) continue
    const count = templates.count(id)
    if (alignments[0]!.length === 0) sum += count
    else sum += countOnes(findAligned(column, id, alignments), count)
  }
  return sum
}

function countOnes(marks: Uint8Array | undefined, count: number): number {
  let sum = 0
  if (marks !== undefined) for (let i = 0; i < count; i++) sum += marks[i]!
  return sum
}

/**
 * Of the texts of one template those for which the conditions of any of the alignments hold; undefined: of
 * none. Valid until the next call.
 */
function findAligned(
  column: TemplateColumn,
  id: number,
  alignments: readonly Alignment[],
): Uint8Array | undefined {
  const template = column.templates.at(id)
  const found = clearMarks(0, template.count)
  let isAny = false
  for (let i = 0; i < alignments.length; i++) {
    if (markAlignment(column, template, alignments[i]!, found)) isAny = true
  }
  return isAny ? found : undefined
}

/** Marks the texts that a regular expression matches. Throws TooManyStates, and has marked some then. */
function markByStates(
  column: TemplateColumn,
  table: StateTable,
  choices: readonly (readonly Needle[])[],
  hits: Uint8Array,
  isWanted: Uint8Array | undefined,
): void {
  for (let id = 0; id < column.templates.length; id++) {
    if (!mayHaveLiterals(column.templates.text(id), choices)) continue
    if (isWanted !== undefined && !hasWanted(column.rowsOf(id), isWanted)) continue
    const matching = matchesOfTemplate(table, column, id)
    if (matching === 'all') markRows(column.rowsOf(id), hits)
    else if (matching !== 'none') markFound(column.rowsOf(id), matching, hits)
  }
}

/** How many texts a regular expression matches. Throws TooManyStates. */
function countByStates(
  column: TemplateColumn,
  table: StateTable,
  choices: readonly (readonly Needle[])[],
): number {
  let sum = 0
  for (let id = 0; id < column.templates.length; id++) {
    if (!mayHaveLiterals(column.templates.text(id), choices)) continue
    const count = column.templates.count(id)
    const matching = matchesOfTemplate(table, column, id)
    if (matching === 'all') sum += count
    else if (matching !== 'none') sum += countOnes(matching, count)
  }
  return sum
}

/** Whether all literals of one of the choices can lie in texts of a template. */
function mayHaveLiterals(text: string, choices: readonly (readonly Needle[])[]): boolean {
  return mayHoldNeedles(text, choices, anyWord)
}

const anyWord = () => true

/** Marks for the texts of one template, used again for the next: a search makes tens of thousands. */
const marksInUse: Uint8Array[] = []

/** Marks number `index`, with zeros for `count` texts. Valid until asked for again. */
function clearMarks(index: number, count: number): Uint8Array {
  let marks = marksInUse[index]
  if (marks === undefined || marks.length < count) {
    marks = new Uint8Array(2 * count)
    marksInUse[index] = marks
  } else {
    marks.fill(0, 0, count)
  }
  return marks
}

/** Marks, in `found`, the texts for which all conditions hold. Returns whether there may be any. */
function markAlignment(
  column: TemplateColumn,
  { firstSlot, count }: DirectoryTemplate,
  alignment: Alignment,
  found: Uint8Array,
): boolean {
  let openCount = 0
  for (let i = 0; i < alignment.length; i++) {
    const { slot, fit, word } = alignment[i]!
    if (!column.isConstant(firstSlot + slot)) openCount++
    else if (!column.constantFits(firstSlot + slot, fit, word)) return false
  }
  if (openCount === 0) {
    found.fill(1, 0, count)
    return true
  }
  // What several conditions mark is put together before it is added to what other alignments have.
  const all = openCount === 1 ? found : clearMarks(1, count)
  let isFirst = true
  for (const isWord of wordsLast) {
    for (let at = 0; at < alignment.length; at++) {
      const { slot: own, fit, word } = alignment[at]!
      const slot = firstSlot + own
      const isNext = !column.isConstant(slot) && (column.wordKindOf(slot) === 'word') === isWord
      if (!isNext) continue
      const marks = isFirst ? all : clearMarks(2, count)
      if (!column.mayHold(slot, fit, word)) return false
      if (!column.variablesOf(slot).mark(fit, word, marks)) return false
      if (!isFirst) for (let i = 0; i < count; i++) all[i]! &= marks[i]!
      isFirst = false
    }
  }
  if (openCount > 1) for (let i = 0; i < count; i++) found[i]! |= all[i]!
  return true
}

/** What is in no chunk of words costs the least, and often none of it fits. */
const wordsLast = [false, true] as const

/** Marks the texts that a regular expression matches. */
function markMatches(
  column: TemplateColumn,
  pattern: Pattern,
  choices: readonly (readonly Needle[])[],
  hits: Uint8Array,
  isWanted: Uint8Array | undefined,
): void {
  const candidates = candidatesOf(column, choices, isWanted)
  if (candidates !== undefined && !hasMark(candidates)) return
  for (let id = 0; id < column.templates.length; id++) {
    const { slotCount } = column.templates.at(id)
    const rows = column.rowsOf(id)
    const candidateCount = candidates === undefined ? rows.length : countMarked(rows, candidates)
    if (candidateCount === 0) continue
    if (slotCount === 0) {
      if (pattern.matches(column.templateTextAt(id, 0))) markRows(rows, hits)
    } else if (candidateCount >= rows.length * rebuiltShareMin) {
      let i = 0
      for (const text of rebuildStrings(column, id)) {
        const row = rows[i++]!
        const isCandidate = candidates === undefined || candidates[row] === 1
        if (isCandidate && pattern.matches(text)) hits[row] = 1
      }
    } else {
      for (let i = 0; i < rows.length; i++) {
        const isCandidate = candidates![rows[i]!] === 1
        if (isCandidate && pattern.matches(column.templateTextAt(id, i))) hits[rows[i]!] = 1
      }
    }
  }
}

function countMarked(rows: ArrayLike<number>, marks: Uint8Array): number {
  let count = 0
  for (let i = 0; i < rows.length; i++) count += marks[rows[i]!]!
  return count
}

/** The wanted texts that have all needles of one of the choices; undefined: all texts. */
function candidatesOf(
  column: TemplateColumn,
  choices: readonly (readonly Needle[])[],
  isWanted: Uint8Array | undefined,
): Uint8Array | undefined {
  if (choices.some(needles => needles.length === 0)) return isWanted
  const candidates = new Uint8Array(column.valueCount)
  for (const needles of choices) {
    let having = isWanted
    for (const needle of needles) {
      const marks = new Uint8Array(column.valueCount)
      markNeedle(column, needle, marks, having)
      if (having !== undefined) {
        for (let i = 0; i < marks.length; i++) marks[i]! &= having[i]!
      }
      having = marks
    }
    for (let i = 0; i < candidates.length; i++) candidates[i]! |= having![i]!
  }
  return candidates
}
