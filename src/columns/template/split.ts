/**
 * Splits texts into templates and variables.
 *
 * A variable is a whole word; the rest of the text, with the mark `0` for each variable, is its
 * template. Templates have no other digits, because every word with a digit is a variable. Putting
 * the variables back in place of the marks gives the exact bytes.
 */
import type { TextColumn } from '../column.ts'
import { byteKinds, digitKind, hashMultiplier, separatorKind, type WordTable } from '../words.ts'
import { enlarge, SequenceTable } from './sequence-table.ts'
import { staticWordsOf } from './vocabulary.ts'

/** Stands for a variable in a template: the byte of "0". */
export const slotMark = 0x30

/** Templates per column: their numbers have at most two bytes. */
const templatesMax = 65_535

/** Texts after which a column with too many templates is given up. */
const trialSize = 2_000

export interface SplitTexts {
  /** As latin1 texts, in the order in which they first occur. */
  readonly templates: string[]
  /** The template of each text. */
  readonly templateIds: Uint32Array
  /** Number of the first variable of each text. */
  readonly firstVariables: Uint32Array
  /** Where each variable lies in the bytes of the texts. */
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** There is room for more places than there are variables. */
  readonly variableCount: number
}

/** Symbols of a template: a separator's byte, the mark, or this plus the number of a static word. */
const firstWordSymbol = 0x100

/**
 * Splits all texts. Undefined when they have more than `templateShareMax` templates per text, which
 * is told early, or more than 65,535.
 */
export function splitTexts(values: TextColumn, templateShareMax: number): SplitTexts | undefined {
  const { bytes, offsets } = values
  const count = offsets.length - 1
  const staticWords = staticWordsOf(values)
  const table = new SequenceTable()
  const templateIds = new Uint32Array(count)
  const firstVariables = new Uint32Array(count)
  let starts = new Uint32Array(count * 4)
  let ends = new Uint32Array(count * 4)
  let symbols = new Uint32Array(1024)
  let variable = 0

  for (let i = 0; i < count; i++) {
    firstVariables[i] = variable
    let at = offsets[i]!
    const end = offsets[i + 1]!
    // A text has at most so many symbols, and half as many variables.
    if (symbols.length < end - at) symbols = new Uint32Array(2 * (end - at))
    if (starts.length < variable + (end - at + 1) / 2) {
      starts = enlarge(starts, end - at)
      ends = enlarge(ends, end - at)
    }
    let length = 0
    let hash = 0
    while (at < end) {
      let byte = bytes[at]!
      let kind = byteKinds[byte]!
      let symbol = byte
      if (kind === separatorKind) {
        at++
      } else {
        const start = at
        let kinds = 0
        let wordHash = 0
        while (kind !== separatorKind) {
          kinds |= kind
          wordHash = Math.imul(wordHash ^ byte, hashMultiplier)
          at++
          if (at === end) break // Reading on past the bytes makes the whole loop slow.
          byte = bytes[at]!
          kind = byteKinds[byte]!
        }
        const word = (kinds & digitKind) !== 0 ? -1 : staticWords.find(start, at, wordHash)
        if (word === -1) {
          symbol = slotMark
          starts[variable] = start
          ends[variable] = at
          variable++
        } else {
          symbol = firstWordSymbol + word
        }
      }
      hash = Math.imul(hash ^ symbol, hashMultiplier)
      symbols[length++] = symbol
    }
    templateIds[i] = table.add(symbols, length, hash)
    if (table.count > templatesMax) return undefined
    if (i + 1 === trialSize && table.count > trialSize * templateShareMax) return undefined
  }
  if (table.count > count * templateShareMax) return undefined
  const templates = textsOf(table, bytes, staticWords)
  return { templates, templateIds, firstVariables, starts, ends, variableCount: variable }
}

/** All templates as latin1 texts. `bytes` holds the static words. */
function textsOf(table: SequenceTable, bytes: Buffer, staticWords: WordTable): string[] {
  const texts: string[] = []
  for (let template = 0; template < table.count; template++) {
    let text = ''
    for (const symbol of table.symbolsOf(template)) {
      const word = symbol - firstWordSymbol
      text +=
        word < 0
          ? String.fromCharCode(symbol)
          : bytes.toString('latin1', staticWords.startOf(word), staticWords.endOf(word))
    }
    texts.push(text)
  }
  return texts
}
