/**
 * Columns as they are after the stages of a query: what is counted, grouped, shown and exported of its
 * records. Nothing is kept of a record but the labels that are wanted: these are made together by one run
 * of the stages, any other by another run. Making one throws TurnOver, and StagedTooLong when it is too long.
 */

import type { SearchableColumn } from '../../columns/column.ts'
import type { Integers } from '../../columns/integers.ts'
import type { Numbers } from '../../columns/numbers.ts'
import { PlainColumn } from '../../columns/plain.ts'
import type { AttributeColumn, RecordColumns } from '../../columns/record-columns.ts'
import { logqlName, ownName } from '../../language/logql-names.ts'
import {
  type LogRecord,
  type Sequence,
  type Stream,
  seriesLabels,
  streamLabels,
  type Timestamp,
} from '../../record.ts'
import { addText, LabelTexts, StagedLength } from './label-texts.ts'
import { linesOf } from './lines.ts'
import { errorDetailsLabel, Row } from './row.ts'
import { attributeTextOf, ownTextOf, RowLabels } from './row-labels.ts'
import { stagedLabels } from './staged-labels.ts'
import { StagedRun, type Staging } from './staged-run.ts'

/**
 * The name under which staged columns have all labels of a record together, but those that are named: as
 * one text, so that records are grouped by it.
 */
export function labelSetName(without: readonly string[]): string {
  return `${labelSetPrefix}${JSON.stringify(without.map(logqlName))}`
}

const labelSetPrefix = '\0labels'

/** LogQL's names of those that are left out; undefined when `name` is not of all labels. */
export function leftOutOf(name: string): readonly string[] | undefined {
  return name.startsWith(labelSetPrefix) ? JSON.parse(name.slice(labelSetPrefix.length)) : undefined
}

const noLabels: ReadonlySet<string> = new Set()

/** The labels that such a text stands for; undefined when `name` is not of all labels. */
export function readLabelSet(name: string, text: string): [string, string][] | undefined {
  return name.startsWith(labelSetPrefix) ? JSON.parse(text) : undefined
}

/** What stages have made of a batch or block, and which labels of it will be asked for. */
export interface Staged {
  readonly staging: Staging
  /** The run that has selected the records; undefined when there was none. */
  readonly run: StagedRun | undefined
  readonly wanted: readonly string[]
}

interface Names {
  readonly shown: ReadonlySet<string>
  readonly made: ReadonlySet<string>
}

/** Columns that are made by one run: each takes 4 bytes a record meanwhile. */
const shownTogether = 64

export class StagedColumns implements RecordColumns {
  readonly #columns: RecordColumns
  readonly #staged: Staged | undefined
  /** Records that have come through the stages. */
  readonly #selected: Uint8Array
  readonly #labels: RowLabels
  readonly #attributes = new Map<string, AttributeColumn | undefined>()
  /** Of the names under which labels are more than one attribute. */
  readonly #shown = new Map<string, AttributeColumn | undefined>()
  #run: StagedRun | undefined
  #message: SearchableColumn | undefined
  #names: Names | undefined

  /** `staged`: undefined when labels may only be asked for under LogQL's names. */
  constructor(columns: RecordColumns, staged: Staged | undefined, selected: Uint8Array) {
    this.#columns = columns
    this.#staged = staged
    this.#selected = selected
    this.#run = staged?.run
    this.#labels = new RowLabels(columns)
  }

  get recordCount(): number {
    return this.#columns.recordCount
  }

  get minTimestamp(): Timestamp {
    return this.#columns.minTimestamp
  }

  get maxTimestamp(): Timestamp {
    return this.#columns.maxTimestamp
  }

  get isSorted(): boolean {
    return this.#columns.isSorted
  }

  get streams(): readonly Stream[] {
    return this.#columns.streams
  }

  get streamCodes(): Integers {
    return this.#columns.streamCodes
  }

  get levels(): readonly string[] {
    return this.#columns.levels
  }

  get levelCodes(): Integers {
    return this.#columns.levelCodes
  }

  get sortedTimes(): Numbers | undefined {
    return this.#columns.sortedTimes
  }

  get changedLabels(): ReadonlySet<string> {
    return this.#staged?.staging.changedLabels ?? noLabels
  }

  timestamp(row: number): Timestamp {
    return this.#columns.timestamp(row)
  }

  sequence(row: number): Sequence {
    return this.#columns.sequence(row)
  }

  /** The lines; of records that are not selected they mean nothing. */
  get message(): SearchableColumn {
    const staged = this.#staged
    if (staged === undefined || staged.staging.keepsLines) return this.#columns.message
    if (this.#message === undefined) {
      const lines = new Array<string>(this.recordCount).fill('')
      const length = new StagedLength()
      this.#forEachRow(staged.staging, (row, number) => {
        length.add(row.line.length)
        lines[number] = row.line
      })
      this.#message = columnOf(lines)
    }
    return this.#message
  }

  get attributeNames(): Iterable<string> {
    if (this.#staged === undefined) return this.#columns.attributeNames
    return this.#namesOf(this.#staged.staging).shown
  }

  attributeValueCount(name: string): number {
    return this.attribute(name)?.column.valueCount ?? 0
  }

  attribute(name: string): AttributeColumn | undefined {
    if (!this.#attributes.has(name)) {
      if (this.#staged === undefined) this.#attributes.set(name, this.#ownAttribute(name))
      else this.#makeAttribute(name, this.#staged)
    }
    return this.#attributes.get(name)
  }

  shownAttribute(name: string): AttributeColumn | undefined {
    const staging = this.#staged?.staging
    if (staging === undefined) return this.#columns.attribute(name)
    if (this.#labels.isAlone(name)) return this.attribute(name)
    const isMade = this.#namesOf(staging).made.has(logqlName(name))
    if (!isMade && !staging.hasKeep) return this.#columns.attribute(name)
    if (!this.#shown.has(name)) this.#makeShown(name, staging)
    return this.#shown.get(name)
  }

  record(number: number): LogRecord {
    const record = this.#columns.record(number)
    const row = this.#rowOf(number)
    this.#staged?.staging.run(row)
    const attributes: string[] = []
    for (let i = 0; i < record.attributes.length; i += 2) {
      const name = record.attributes[i]!
      if (row.hasOwn(name)) attributes.push(name, record.attributes[i + 1]!)
    }
    const ownLength = attributes.length
    for (const [name, text] of row.made) if (isShown(name, text)) attributes.push(name, text)
    const made = this.#staged !== undefined && { ownLength }
    return { ...record, message: row.line, attributes, ...made }
  }

  /** Without stages: under LogQL's name. */
  #ownAttribute(name: string): AttributeColumn | undefined {
    const names = this.#labels.attributeNames(name)
    if (names.length <= 1) return this.#columns.attribute(names[0] ?? name)
    const texts = new LabelTexts(this.recordCount)
    for (let number = 0; number < this.recordCount; number++) {
      if (this.#selected[number] !== 1) continue
      this.#labels.row = number
      addText(texts, number, ownTextOf(name, this.#columns, number), this.#labels.text(name))
    }
    return texts.column()
  }

  /** All that any record shows, and LogQL's names of what stages have made or taken away. */
  #namesOf(staging: Staging): Names {
    if (this.#names === undefined) {
      const made = new Set<string>()
      const shown = new Set(this.#columns.attributeNames)
      this.#forEachRow(staging, row => {
        for (const [name, text] of row.made) {
          made.add(name)
          if (isShown(name, text)) shown.add(name)
        }
      })
      this.#names = { made, shown }
    }
    return this.#names
  }

  /** Makes what is shown under a name that finds other labels, too, and some more such names at once. */
  #makeShown(name: string, staging: Staging): void {
    const others = [...this.attributeNames].filter(
      other => other !== name && !this.#shown.has(other) && !this.#labels.isAlone(other),
    )
    const texts = new Map<string, LabelTexts>()
    for (const one of [name, ...others].slice(0, shownTogether)) {
      texts.set(one, new LabelTexts(this.recordCount))
    }
    this.#forEachRow(staging, (row, number) => {
      for (const [one, ofName] of texts) {
        const made = row.made.get(one)
        const own = row.hasOwn(one) ? attributeTextOf(one, this.#columns, number) : undefined
        if (made !== undefined && isShown(one, made)) ofName.add(number, made)
        else if (own !== undefined) ofName.add(number, own)
      }
    })
    for (const [one, ofName] of texts) this.#shown.set(one, ofName.column())
  }

  #makeAttribute(name: string, staged: Staged): void {
    const leftOut = leftOutOf(name)
    if (leftOut === undefined) this.#makeLabels(name, staged)
    else this.#makeLabelSets(name, leftOut, staged.staging)
  }

  #makeLabelSets(name: string, leftOut: readonly string[], staging: Staging): void {
    const textOf = labelSetOf(leftOut)
    const texts = new LabelTexts(this.recordCount)
    this.#forEachRow(staging, (row, number) => texts.add(number, textOf(row)))
    this.#attributes.set(name, texts.column())
  }

  /** Makes a label, and all that are wanted besides. */
  #makeLabels(name: string, { staging, wanted }: Staged): void {
    const others = wanted
      .map(label => (this.changedLabels.has(label) ? logqlName(label) : label))
      .filter(
        label =>
          label !== name && !this.#attributes.has(label) && !label.startsWith(labelSetPrefix),
      )
    this.#run ??= new StagedRun(this.#columns, staging, this.#selected.slice())
    const made = stagedLabels([name, ...others], this.#run, this.#selected)
    for (const [label, attribute] of made) this.#attributes.set(label, attribute)
  }

  /** Runs the stages on each selected record, in any order. */
  #forEachRow(staging: Staging, visit: (row: Row, number: number) => void): void {
    for (const [number, line] of linesOf(this.#columns.message, this.#selected)) {
      this.#labels.row = number
      const row = new Row(this.timestamp(number), line, this.#labels)
      staging.run(row)
      visit(row, number)
    }
  }

  #rowOf(number: number): Row {
    this.#labels.row = number
    return new Row(this.timestamp(number), this.#columns.message.textAt(number), this.#labels)
  }
}

/** Records are shown with the environment that they came with: no attribute may have its name. */
function isShown(name: string, text: string): boolean {
  return text !== '' && name !== streamLabels.environment
}

/** All labels of a record by which LogQL tells series apart: its stream's, and what stages have made. */
function labelSetOf(without: readonly string[]): (row: Row) => string {
  const left = new Set([...without, errorDetailsLabel])
  return row => {
    const pairs: [string, string][] = []
    for (const name of seriesLabels) {
      if (row.hasOwn(name) && !left.has(logqlName(name))) pairs.push([name, row.label(name)])
    }
    for (const [name, text] of row.made) {
      if (text !== '' && !left.has(name)) pairs.push([ownName(name), text])
    }
    pairs.sort(([a], [b]) => (a < b ? -1 : 1))
    return JSON.stringify(pairs)
  }
}

function columnOf(texts: readonly string[]): SearchableColumn {
  const offsets = new Uint32Array(texts.length + 1)
  texts.forEach((text, i) => {
    offsets[i + 1] = offsets[i]! + Buffer.byteLength(text)
  })
  const bytes = Buffer.allocUnsafeSlow(offsets[texts.length]!)
  texts.forEach((text, i) => {
    bytes.write(text, offsets[i]!)
  })
  return new PlainColumn({ offsets, bytes })
}
