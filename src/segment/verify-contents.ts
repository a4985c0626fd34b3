/**
 * Checks what checksums cannot: that every column of an intact segment can be decoded, that each block's
 * counts and times are those of its records, and that its skip index agrees with it. Takes as long as
 * decoding everything does.
 */

import { isDeepStrictEqual } from 'node:util'
import type { SearchableColumn, TemplateCount } from '../columns/column.ts'
import { openColumn } from '../columns/open.ts'
import { tellPatterns } from '../columns/patterns/told-patterns.ts'
import { TemplateColumn } from '../columns/template/open.ts'
import { variablesOf } from '../columns/template/rebuild.ts'
import { BlockColumns } from './block-columns.ts'
import type { ColumnEntry } from './block-directory.ts'
import { type BlockReader, openBlock } from './block-reader.ts'
import { readFooter } from './footer.ts'
import { type SegmentFile, withSegmentFile } from './segment-file.ts'
import { DigitRuns } from './skip/digit-runs.ts'
import { LetterRuns } from './skip/letter-runs.ts'
import type { ToldPatterns } from './skip/run-patterns.ts'
import { SkipIndex, type SkipPlace, textKindOf } from './skip/skip-index.ts'
import type { SegmentFault } from './verify.ts'

/** What is wrong with the contents of a segment in which `verifySegment` found no fault. */
export function verifyContents(path: string): SegmentFault[] {
  const { number, blocks } = readFooter(path)
  return withSegmentFile(path, number, file =>
    blocks.flatMap(({ directory, skip }) => {
      const block = openBlock(file, directory)
      const own = faultsOf(block).map(what => ({ offset: directory.offset, what }))
      // Of a block that cannot be relied on itself there is nothing to compare with.
      if (skip === undefined || own.length > 0) return own
      const told = faultsOfSkip(file, block, skip)
      return [...own, ...told.map(what => ({ offset: skip.index.offset, what }))]
    }),
  )
}

/** Returns what tests whether something holds; what does not becomes a fault: whose, and against what. */
function checking(faults: string[], whose: string, not: string) {
  return (what: string, holds: () => boolean) => {
    try {
      if (!holds()) faults.push(`${what} ${whose}: ${not}`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      faults.push(`${what} ${whose}: ${reason}`)
    }
  }
}

function faultsOf(block: BlockReader): string[] {
  const faults: string[] = []
  const check = checking(faults, 'of a block', 'not what its directory says')
  const { directory } = block
  const columns = new BlockColumns(directory, () => block)
  check('the timestamps', () => {
    const timestamps = columns.numbers('timestamp')
    return (
      timestamps.every((timestamp, row) => row === 0 || timestamps[row - 1]! <= timestamp) &&
      timestamps[0] === directory.minTimestamp &&
      timestamps.at(-1) === directory.maxTimestamp
    )
  })
  check('the sequences', () => {
    const { min, max } = rangeOf(columns.numbers('sequence'))
    return min === directory.minSequence && max === directory.maxSequence
  })
  check('the levels', () => {
    const counts = directory.levelCounts.map(() => 0)
    for (const code of columns.levelCodes) counts[code]!++
    return counts.every((count, code) => count === directory.levelCounts[code]![1])
  })
  check('the messages', () => block.column('message') !== undefined)
  for (const column of directory.columns) {
    if (column.role !== 'message' && column.role !== 'attribute') continue
    check(`column ${JSON.stringify(column.name)}`, () => {
      const { encoding, meta, valueCount } = column
      const texts = openColumn(encoding, meta, valueCount, block.chunkSource(column)).toTextColumn()
      return texts.offsets.length - 1 === valueCount
    })
  }
  return faults
}

/** Where the skip index of its run says something else of a block than the block does. */
function faultsOfSkip(file: SegmentFile, block: BlockReader, { index, block: at }: SkipPlace) {
  const faults: string[] = []
  const check = checking(faults, `of block ${at} in a skip index`, 'not what the block says')
  const { directory } = block
  const skip = new SkipIndex(file, index)
  check('the times', () => {
    const { minTimestamp, maxTimestamp } = directory
    return skip.minTimestamp(at) === minTimestamp && skip.maxTimestamp(at) === maxTimestamp
  })
  check('the number of records', () => skip.recordCount(at) === directory.recordCount)
  check('the token filter', () => isDeepStrictEqual(skip.filter(at), directory.filter))
  const kindOf = ({ encoding }: ColumnEntry) => textKindOf(encoding, directory.filter)
  check('the attributes', () => {
    const columns = directory.columns.filter(({ role }) => role === 'attribute')
    const kinds = new Map(columns.map(column => [column.name, kindOf(column)]))
    return isDeepStrictEqual(new Map(skip.attributes(at)), kinds)
  })
  const entry = block.column('message')!
  check('the kind of the messages', () => skip.messageKind(at) === kindOf(entry))
  const { encoding, meta, valueCount } = entry
  const message = openColumn(encoding, meta, valueCount, block.chunkSource(entry))
  const templated = message instanceof TemplateColumn ? message : undefined
  check('the letters of the messages', () =>
    new LetterRuns().addTexts(message.toTextColumn()).areIn(skip.letters(at)),
  )
  check('the digits of the messages', () =>
    new DigitRuns().addTexts(message.toTextColumn()).areIn(skip.digits(at, () => file)),
  )
  check('the letters of the variables', () => {
    const runs = new LetterRuns()
    const texts = templated === undefined ? [message.toTextColumn()] : variablesOf(templated)
    for (const column of texts) runs.addTexts(column)
    return runs.areIn(skip.variableLetters)
  })
  check('the templates', () => {
    const told = toldTemplates(skip, at, file)
    const own = templated && templateCounts(templated)
    return isDeepStrictEqual(told, own)
  })
  check('the values of attributes', () =>
    block.directory.columns
      .filter(({ role }) => role === 'attribute')
      .every(column => {
        const told = toldValues(skip, at, column.name, file)
        return told === undefined || isDeepStrictEqual(told, ownValues(block, column))
      }),
  )
  check('the kinds of messages', () => {
    const told = skip.toldPatterns(at, () => file)
    if (told === undefined) return true
    const own = ownPatterns(block, message, told.levels)
    const byLevel = told.byLevel && own?.byLevel
    return isDeepStrictEqual(told, own && { ...own, byLevel })
  })
  return faults
}

/** How many records of a block have each value of an attribute, as a skip index says; latin1. */
function toldValues(
  skip: SkipIndex,
  block: number,
  name: string,
  file: SegmentFile,
): Map<string, number> | undefined {
  const values = skip.valuesOf(name, () => file)
  if (values === undefined) return undefined
  const { offsets, bytes } = values.texts.texts
  const told = Array.from(values.counts[block]!, (count, i): [string, number] => [
    bytes.toString('latin1', offsets[i], offsets[i + 1]),
    count,
  ])
  return new Map(told.filter(([, count]) => count > 0))
}

/** The same as the block itself says. */
function ownValues(block: BlockReader, column: ColumnEntry): Map<string, number> {
  const { encoding, meta, valueCount } = column
  const opened = openColumn(encoding, meta, valueCount, block.chunkSource(column))
  const { offsets, bytes } = opened.toTextColumn()
  const counts = new Map<string, number>()
  for (let i = 0; i < valueCount; i++) {
    const text = bytes.toString('latin1', offsets[i], offsets[i + 1])
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** What a skip index should say of the kinds of messages of a block, whose run has these levels. */
function ownPatterns(
  block: BlockReader,
  message: SearchableColumn,
  levels: readonly string[],
): ToldPatterns | undefined {
  const { directory } = block
  const columns = new BlockColumns(directory, () => block)
  const levelCodes = Array.from(columns.levelCodes, code => levels.indexOf(columns.levels[code]!))
  const timestamps = columns.numbers('timestamp')
  const own = tellPatterns({ message, levels, levelCodes, timestamps })
  return own && { ...own, service: directory.stream.service }
}

/** What a skip index says of the templates of a block. */
function toldTemplates(
  skip: SkipIndex,
  block: number,
  file: SegmentFile,
): TemplateCount[] | undefined {
  const templates = skip.templates(() => file)
  const counts = templates.counts(block)
  const numbers = templates.numbers(block)
  return (
    numbers && Array.from(numbers, (n, i) => ({ text: templates.texts[n]!, count: counts![i]! }))
  )
}

function templateCounts({ templates }: TemplateColumn): TemplateCount[] {
  return Array.from({ length: templates.length }, (_, id) => {
    const { text, count } = templates.at(id)
    return { text, count }
  })
}

function rangeOf(values: Float64Array): { min: number; max: number } {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return { min, max }
}
