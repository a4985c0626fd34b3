/**
 * The kinds of the messages of a run of blocks, each text once, and of each block which ones it has, how many
 * records of each level, and when the first and the last.
 *
 *     ┌───────────────────────────────┬──────────────────┬───────────────────────────────────┬─────────┐
 *     │ version of the rules, levels, │ lengths <u32> of │ of each block: kinds or 2^32 - 1, │ texts   │
 *     │ kinds, bytes of service <u32> │ levels and kinds │ templates, width of a cell, cells;│ utf-8   │
 *     │                               │                  │ tables <u32> of each              │         │
 *     └───────────────────────────────┴──────────────────┴───────────────────────────────────┴─────────┘
 *
 * The tables of a block: the numbers of its kinds, the first and the last time of each (ms since the first
 * record), how many records have each level, of each template 1 + the place of its kind among these,
 * 0 where it has several; and the same times of each pair of a kind and a level, and how many records each
 * has in each cell of time <u16>. Empty where no block is told of. The older form has no pairs and no cells.
 */

import { type LevelTimes, pairsOf } from '../../columns/patterns/level-times.ts'
import { patternOfText, rulesVersion } from '../../columns/patterns/message-pattern.ts'
import type { PatternTable } from '../../columns/patterns/told-patterns.ts'

const untold = 0xffff_ffff
/** Bytes of the texts of all kinds of a run. */
const textBytesMax = 1024 * 1024

/** `blocks`: of each block its table, undefined where it has too many kinds. */
export function encodePatterns(
  blocks: readonly (PatternTable | undefined)[],
  service: string,
): Buffer {
  const kinds = new Numbered()
  const levels = new Numbered()
  for (const table of blocks) {
    for (const { text } of table?.patterns ?? []) kinds.add(text)
    for (const level of table?.levels ?? []) levels.add(level)
  }
  if (kinds.texts.length === 0 || kinds.bytes > textBytesMax) return Buffer.alloc(0)
  const serviceBytes = Buffer.from(service)
  const head = [
    ...[rulesVersion, levels.texts.length, kinds.texts.length, serviceBytes.length],
    ...[...levels.texts, ...kinds.texts].map(({ length }) => length),
  ]
  const tables = blocks.map(table => table && tablesOf(table, kinds, levels))
  const sizes = blocks.flatMap(table => {
    if (table === undefined) return [untold, 0, 0, 0]
    const { patterns, kindOfTemplate, byLevel } = table
    return [patterns.length, kindOfTemplate.length, byLevel!.cellMs, byLevel!.cellCount]
  })
  const integers = [Uint32Array.from([...head, ...sizes]), ...tables.flatMap(all => all ?? [])]
  const numbers = integers.map(array =>
    Buffer.from(array.buffer, array.byteOffset, array.byteLength),
  )
  return Buffer.concat([...numbers, serviceBytes, ...levels.texts, ...kinds.texts])
}

/** Texts by number, each once. */
class Numbered {
  readonly texts: Buffer[] = []
  readonly #numbers = new Map<string, number>()
  bytes = 0

  add(text: string): number {
    let number = this.#numbers.get(text)
    if (number === undefined) {
      const bytes = Buffer.from(text)
      number = this.texts.push(bytes) - 1
      this.bytes += bytes.length
      this.#numbers.set(text, number)
    }
    return number
  }
}

function tablesOf(table: PatternTable, kinds: Numbered, levels: Numbered): Uint32Array[] {
  const { patterns, counts, firstTimes, lastTimes, kindOfTemplate } = table
  const kindCount = patterns.length
  const ofRun = new Uint32Array(levels.texts.length * kindCount)
  table.levels.forEach((level, i) => {
    ofRun.set(counts.subarray(i * kindCount, (i + 1) * kindCount), levels.add(level) * kindCount)
  })
  const numbers = Uint32Array.from(patterns, ({ text }) => kinds.add(text))
  const pairs = pairTables(table, levels)
  return [numbers, firstTimes, lastTimes, ofRun, kindOfTemplate, ...pairs]
}

/** Those of the pairs, in the order of the run's levels. */
function pairTables({ levels, patterns, counts, byLevel }: PatternTable, ofRun: Numbered) {
  if (byLevel === undefined) throw new Error('BUG: what is written is counted by level')
  const { firstTimes, lastTimes, cellCount, cells } = byLevel
  const kindCount = patterns.length
  const byNumber = levels.map((level, own) => ({ number: ofRun.add(level), own }))
  byNumber.sort((a, b) => a.number - b.number)
  const { pairOf } = pairsOf(counts)
  const order = byNumber.flatMap(({ own }) => {
    const [from, to] = [own * kindCount, (own + 1) * kindCount]
    return Array.from(pairOf.subarray(from, to)).filter((_, kind) => counts[from + kind]! > 0)
  })
  const [first, last] = [firstTimes, lastTimes].map(times =>
    Uint32Array.from(order, i => times[i]!),
  )
  const ordered = new Uint16Array(2 * Math.ceil(cells.length / 2))
  order.forEach((pair, i) => {
    ordered.set(cells.subarray(pair * cellCount, (pair + 1) * cellCount), i * cellCount)
  })
  return [first!, last!, new Uint32Array(ordered.buffer)]
}

/** What is told of a block. */
export interface ToldPatterns extends PatternTable {
  /** Of all records. */
  readonly service: string
}

export class RunPatterns {
  readonly #blocks: readonly (ToldPatterns | undefined)[] = []
  readonly #bytes: number

  /**
   * `bytes`: aligned for numbers of 32 bits; `form`: `old`, without pairs of kinds and levels. Throws a
   * RangeError for what `encodePatterns` did not make.
   */
  constructor(bytes: Buffer, recordCounts: readonly number[], form: 'new' | 'old' = 'new') {
    this.#bytes = bytes.length
    if (bytes.length === 0) return
    const integers = new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 4))
    let at = 0
    const take = (count: number) => {
      if (count > integers.length - at) throw new RangeError('too short for its kinds of messages')
      at += count
      return integers.subarray(at - count, at)
    }
    const [version, levelCount, kindCount, serviceBytes] = take(4)
    // Other rules make other kinds: they are counted when they are asked for.
    if (version !== rulesVersion) return
    const lengths = take(levelCount! + kindCount!)
    const sizesPerBlock = form === 'old' ? 2 : 4
    const sizes = take(sizesPerBlock * recordCounts.length)
    const tables = recordCounts.map((_, block) => {
      const from = sizesPerBlock * block
      const [own, templates, cellMs, cellCount] = sizes.subarray(from, from + sizesPerBlock)
      if (own === untold) return undefined
      const [numbers, firstTimes, lastTimes] = [take(own!), take(own!), take(own!)] as const
      const counts = take(levelCount! * own!)
      const kindOfTemplate = take(templates!)
      const byLevel = form === 'old' ? undefined : takePairs(take, counts, cellMs!, cellCount!)
      return { numbers, firstTimes, lastTimes, counts, kindOfTemplate, byLevel }
    })
    let start = 4 * at
    const texts = [serviceBytes!, ...lengths].map(length => {
      start += length
      return bytes.toString('utf8', start - length, start)
    })
    if (start !== bytes.length) throw new RangeError('another length than its texts have')
    const [service] = texts
    const levels = texts.slice(1, 1 + levelCount!)
    const patterns = texts.slice(1 + levelCount!).map(patternOfText)
    this.#blocks = tables.map((table, block) => {
      if (table === undefined) return undefined
      checkTable(table, kindCount!, recordCounts[block]!)
      const { numbers, ...counted } = table
      const own = Array.from(numbers, number => patterns[number]!)
      return { ...counted, patterns: own, levels, service: service! }
    })
  }

  get heldBytes(): number {
    return 2 * this.#bytes + 500 * this.#blocks.length
  }

  /** The kinds of the messages of a block; undefined where they are not told. */
  of(block: number): ToldPatterns | undefined {
    return this.#blocks[block]
  }
}

function takePairs(
  take: (count: number) => Uint32Array,
  counts: Uint32Array,
  cellMs: number,
  cellCount: number,
): LevelTimes {
  const { pairCount } = pairsOf(counts)
  const [firstTimes, lastTimes] = [take(pairCount), take(pairCount)] as const
  const length = pairCount * cellCount
  const words = take(Math.ceil(length / 2))
  const cells = new Uint16Array(words.buffer, words.byteOffset, length)
  return { firstTimes, lastTimes, cellMs, cellCount, cells }
}

/** The integers of a block. */
interface BlockTables extends Omit<PatternTable, 'patterns' | 'levels'> {
  readonly numbers: Uint32Array
}

function checkTable(
  { numbers, counts, kindOfTemplate, byLevel }: BlockTables,
  kindCount: number,
  recordCount: number,
): void {
  const isKind = numbers.every(number => number < kindCount)
  const isOfTemplate = kindOfTemplate.every(kind => kind <= numbers.length)
  const isWithin = counts.reduce((sum, count) => sum + count, 0) <= recordCount
  const isInCells = byLevel === undefined || areInCells(counts, byLevel)
  if (!isKind || !isOfTemplate || !isWithin || !isInCells)
    throw new RangeError('no block has such kinds')
}

/** Whether each record of a pair is in one cell of time. */
function areInCells(counts: Uint32Array, { cellMs, cellCount, cells }: LevelTimes): boolean {
  if ((cellMs === 0) !== (cellCount === 0)) return false
  if (cellCount === 0) return true
  let at = 0
  for (let i = 0; i < counts.length; i++) {
    if (counts[i] === 0) continue
    const end = at + cellCount
    let sum = 0
    while (at < end) sum += cells[at++]!
    if (sum !== counts[i]) return false
  }
  return true
}
