/**
 * Parsers that can read the lines of all records of a template at once: what they find in a shaped line, and
 * what must be so of its variables for that to hold of each record.
 */

import { Word } from '../../columns/search-word.ts'
import type { TemplateColumn } from '../../columns/template/open.ts'
import { parseLinePattern } from '../../language/line-pattern.ts'
import type { Stage } from '../../language/stage.ts'
import { type JsonValue, readJson } from './json.ts'
import { readLogfmt } from './logfmt.ts'
import { stageStep } from './pipeline.ts'
import { Row, type RowError } from './row.ts'
import { type DigitsSlot, digitsSlotsOf, isVariable, markOf, slotsIn } from './shaped-line.ts'

/** A template of a column. */
export interface TemplatePlace {
  readonly column: TemplateColumn
  readonly template: number
}

/** What a parser makes of a shaped line. Slots are numbered within the template. */
export interface Found {
  /** What it finds, under LogQL's names, in the order in which it does. */
  readonly labels: readonly (readonly [name: string, text: string])[]
  /** Slots in names: only with a word that all records have there is it known what is found. */
  readonly nameSlots: readonly number[]
  /** Variables that must be digits. */
  readonly digits: readonly DigitsSlot[]
  /** What goes wrong with all records; details may differ. */
  readonly error?: RowError
}

export type ParserStage =
  | Extract<Stage, { kind: 'json' }>
  | Extract<Stage, { kind: 'logfmt' }>
  | { readonly kind: 'pattern'; readonly text: string }

/** How an object of JSON begins; no variable does so. */
const object = /^[ \t\n\r]*\{/

/** Lines that a parser remembers, and characters of them; beyond either it begins anew. */
const rememberedMax = 4_096
const rememberedLengthMax = 2_097_152

export class ShapedParser {
  readonly #stage: ParserStage
  readonly #step: (row: Row) => boolean
  readonly #remembered = new Map<string, Found | undefined>()
  #rememberedLength = 0
  /** By which a pattern finds its way. */
  readonly #words: readonly Word[]
  /** Those of digits that a mark could hold, at the end of a text of a pattern. */
  readonly #endings: readonly string[]

  constructor(stage: ParserStage) {
    this.#stage = stage
    this.#step = stageStep(stage)
    const texts = stage.kind === 'pattern' ? textsOfPattern(stage.text) : []
    const words = texts.flatMap(text => text.match(/[A-Za-z0-9]+/g) ?? [])
    this.#words = words.map(word => new Word(word))
    this.#endings = texts.flatMap(text => text.match(/^[0-9]+|[0-9]+$/g) ?? [])
  }

  /** Whether there are words that it needs. */
  get needsWords(): boolean {
    return this.#words.length > 0
  }

  /** Undefined where nobody knows what it finds: it fails, and why may be in what variables are. */
  find(line: string): Found | undefined {
    const remembered = this.#remembered
    const known = remembered.get(line)
    if (known !== undefined || remembered.has(line)) return known
    this.#rememberedLength += line.length
    if (remembered.size >= rememberedMax || this.#rememberedLength > rememberedLengthMax) {
      remembered.clear()
      this.#rememberedLength = line.length
    }
    const found = this.#read(line)
    remembered.set(line, found)
    return found
  }

  /** Whether a word that all records have in the place of a variable must stand in the line. */
  needsWord(word: string): boolean {
    return this.#words.some(({ text }) => word.includes(text))
  }

  /** Whether, wherever a mark stands, what variables are makes no difference to what is found. */
  holdsFor({ column, template }: TemplatePlace, isMark: (slot: number) => boolean): boolean {
    if (this.#words.length === 0) return true
    const { firstSlot, slotCount } = column.templates.at(template)
    for (let slot = 0; slot < slotCount; slot++) {
      if (!isMark(slot)) continue
      if (this.#words.some(word => column.mayHold(firstSlot + slot, 'contains', word))) return false
      if (this.#endings.some(digits => markOf(slot).includes(digits))) return false
    }
    return true
  }

  #read(line: string): Found | undefined {
    const stage = this.#stage
    const row = new RecordingRow(line)
    this.#step(row)
    const { labels } = row
    if (row.hasFailed) {
      const isNever = stage.kind === 'json' && stage.extractions.length === 0 && !object.test(line)
      return isNever ? { labels, nameSlots: [], digits: [], error: 'JSONParserErr' } : undefined
    }
    switch (stage.kind) {
      case 'json':
        return { labels, ...slotsOfJson(readJson(line)) }
      case 'logfmt':
        return { labels, nameSlots: keySlotsOfLogfmt(line, stage), digits: [] }
      case 'pattern':
        return { labels, nameSlots: [], digits: [] }
    }
  }
}

function textsOfPattern(pattern: string): readonly string[] {
  const parts = parseLinePattern(pattern)
  if (typeof parts === 'string') throw new TypeError(`no pattern: ${pattern}`)
  return parts.filter(part => typeof part === 'string')
}

/** Notes what a parser finds in a line, which depends on nothing else. */
class RecordingRow extends Row {
  readonly labels: (readonly [string, string])[] = []

  constructor(line: string) {
    super(Number.NaN, line, { text: () => '' })
  }

  override extractNamed(name: string, value: string): void {
    this.labels.push([name, value])
  }
}

function slotsOfJson(value: JsonValue | undefined): Pick<Found, 'nameSlots' | 'digits'> {
  const nameSlots: number[] = []
  const digits: DigitsSlot[] = []
  const visit = (one: JsonValue) => {
    if (one.kind === 'number') digits.push(...digitsSlotsOf(one.text))
    else if (one.kind === 'array') one.items.forEach(visit)
    else if (one.kind === 'object') {
      for (const [key, member] of one.members) {
        nameSlots.push(...slotsIn(key))
        visit(member)
      }
    }
  }
  if (value !== undefined) visit(value)
  return { nameSlots, digits }
}

/** A key may vary when it has no value, as a number in a sentence: it is no label then. */
function keySlotsOfLogfmt(
  line: string,
  { isStrict, keepsEmpty }: Extract<Stage, { kind: 'logfmt' }>,
): readonly number[] {
  const slots: number[] = []
  readLogfmt(line, isStrict, (key, value) => {
    if (isVariable(key) && (keepsEmpty || value !== '')) slots.push(...slotsIn(key))
  })
  return slots
}
