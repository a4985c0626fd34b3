/**
 * Tests a regular expression on the texts of a template column by the states that it is in
 * (`template-states.ts`): no text is made, and variables are read only where they decide.
 */
import { getOrInsertComputed } from '../get-or-insert.ts'
import { lost, matched, type StateTable, statesMax, type WordKind } from '../match/state-table.ts'
import { markVerdicts } from './codes.ts'
import type { TemplateVerdict } from './search.ts'
import { rowBytes, StateRows } from './state-rows.ts'
import type { TemplateColumn } from './template/open.ts'
import { slotMark } from './template/split.ts'
import { decides, TemplateStates } from './template-states.ts'

/** Of templates that an expression remembers, roughly; beyond it, it starts over. */
const rememberedBytesMax = 4 * 1024 * 1024
/** What a slot of these takes, and as much again where there is room for more. */
const slotBytes = 2 * rowBytes

/** Words of a slot that are gone over to see whether each decides. */
const decidingWordsMax = 256

/** What an expression knows of templates: by their text, and the kinds of their slots. */
interface Remembered {
  readonly byText: Map<string, Map<string, TemplateStates>>
  rows: StateRows
  bytes: number
}

function newRemembered(): Remembered {
  return { byText: new Map(), rows: new StateRows(), bytes: 0 }
}

/** The same few templates are in every block. */
const remembered = new WeakMap<StateTable, Remembered>()

/** What is known of all texts of a template whatever stands in its slots. Throws TooManyStates. */
export function verdictByStates(table: StateTable, text: string): TemplateVerdict {
  let slotCount = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === slotMark) slotCount++
  const { first } = templateStates(table, text, 'w'.repeat(slotCount))
  return first === matched ? 'all' : first === lost ? 'none' : 'some'
}

/** Which texts of a template match: none, all, or those marked with 1. Throws TooManyStates. */
export function matchesOfTemplate(
  table: StateTable,
  column: TemplateColumn,
  id: number,
): 'none' | 'all' | Uint8Array {
  const { text, count, firstSlot, slotCount } = column.templates.at(id)
  let kinds = ''
  for (let slot = 0; slot < slotCount; slot++) kinds += column.wordKindOf(firstSlot + slot)[0]!
  const states = templateStates(table, text, kinds)
  // While all texts are in one state.
  let state = states.first
  let slot = 0
  for (; slot < slotCount && state > matched; slot++) {
    let next = states.jump(slot, state)
    if (next === decides) {
      const constant = column.constantOf(firstSlot + slot)
      if (constant === undefined) break
      next = states.over(slot, state, Buffer.from(constant, 'latin1'), 0, constant.length)
    }
    state = next
  }
  if (state <= matched || slot === slotCount) return state === matched ? 'all' : 'none'
  const decided = decidedByWord(states, column, firstSlot, slot, state)
  if (decided !== undefined) return decided
  const ofTexts = new Uint16Array(count).fill(state)
  for (; slot < slotCount && moveOver(states, column, firstSlot, slot, ofTexts); slot++);
  return new Uint8Array(ofTexts)
}

/**
 * Which texts match, all of which are in one state before a slot, where the slot has few words and each of
 * them decides: one pass over the texts. Undefined otherwise.
 */
function decidedByWord(
  states: TemplateStates,
  column: TemplateColumn,
  firstSlot: number,
  slot: number,
  state: number,
): 'none' | 'all' | Uint8Array | undefined {
  const coded = column.variablesOf(firstSlot + slot).codes()
  if (coded === undefined || coded.codeCount > decidingWordsMax) return undefined
  const { codes, codeCount, textOf } = coded
  const verdicts = new Uint8Array(codeCount)
  for (let code = 0; code < codeCount; code++) {
    const word = textOf(code)
    const next = states.over(slot, state, Buffer.from(word, 'latin1'), 0, word.length)
    if (next > matched) return undefined
    verdicts[code] = next
  }
  if (!verdicts.includes(matched)) return 'none'
  if (!verdicts.includes(lost)) return 'all'
  const matching = new Uint8Array(codes.length)
  markVerdicts(codes, verdicts, matching)
  return matching
}

/** Moves the states of all texts over a slot. False when they are settled already. */
function moveOver(
  states: TemplateStates,
  column: TemplateColumn,
  firstSlot: number,
  slot: number,
  ofTexts: Uint16Array,
): boolean {
  const isIn = new Uint8Array(statesMax)
  for (let i = 0; i < ofTexts.length; i++) isIn[ofTexts[i]!] = 1
  const jumps = new Int16Array(statesMax)
  let isAnyOpen = false
  let isAnyDeciding = false
  for (let state = isIn.indexOf(1); state !== -1; state = isIn.indexOf(1, state + 1)) {
    jumps[state] = states.jump(slot, state)
    if (state > matched) isAnyOpen = true
    if (jumps[state] === decides) isAnyDeciding = true
  }
  if (!isAnyOpen) return false
  if (isAnyDeciding) {
    column.variablesOf(firstSlot + slot).move(ofTexts, {
      jumps,
      over: (state, bytes, start, end) => states.over(slot, state, bytes, start, end),
    })
  } else {
    for (let i = 0; i < ofTexts.length; i++) ofTexts[i] = jumps[ofTexts[i]!]!
  }
  return true
}

const kindOfLetter: Readonly<Record<string, WordKind>> = { d: 'digits', h: 'hex', w: 'word' }

function templateStates(table: StateTable, text: string, kinds: string): TemplateStates {
  const known = getOrInsertComputed(remembered, table, newRemembered)
  return known.byText.get(text)?.get(kinds) ?? remember(known, table, text, kinds)
}

function remember(
  known: Remembered,
  table: StateTable,
  text: string,
  kinds: string,
): TemplateStates {
  if (known.bytes > rememberedBytesMax) {
    known.byText.clear()
    known.rows = new StateRows() // Whoever has a template at this moment goes on with its own.
    known.bytes = 0
  }
  const ofSlots = Array.from(kinds, letter => kindOfLetter[letter]!)
  const states = new TemplateStates(table, known.rows, text, ofSlots)
  const ofText = known.byText.get(text) ?? new Map<string, TemplateStates>()
  known.byText.set(text, ofText.set(kinds, states))
  known.bytes += 2 * text.length + slotBytes * (kinds.length + 1)
  return states
}
