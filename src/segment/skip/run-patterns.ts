/**
 * The kinds of the messages of a run of blocks, each text once, and of each block which ones it has, how many
 * records of each level, and when the first and the last.
 *
 *     ┌───────────────────────────────┬──────────────────┬───────────────────────────────────┬─────────┐
 *     │ version of the rules, levels, │ lengths <u32> of │ of each block: kinds, templates,  │ texts   │
 *     │ kinds, bytes of service <u32> │ levels and kinds │ or 2^32 - 1; tables <u32> of each │ utf-8   │
 *     └───────────────────────────────┴──────────────────┴───────────────────────────────────┴─────────┘
 *
 * The tables of a block: the numbers of its kinds, the first and the last time of each (ms since the first
 * record), how many records have each level, and of each template 1 + the place of its kind among these,
 * 0 where it has several. Empty where no block is told of.
 */

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
  const sizes = blocks.flatMap(table =>
    table === undefined ? [untold, 0] : [table.patterns.length, table.kindOfTemplate.length],
  )
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
  return [numbers, firstTimes, lastTimes, ofRun, kindOfTemplate]
}

/** What is told of a block. */
export interface ToldPatterns extends PatternTable {
  /** Of all records. */
  readonly service: string
}

export class RunPatterns {
  readonly #blocks: readonly (ToldPatterns | undefined)[] = []
  readonly #bytes: number

  /** `bytes`: aligned for numbers of 32 bits. Throws a RangeError for what `encodePatterns` did not make. */
  constructor(bytes: Buffer, recordCounts: readonly number[]) {
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
    const sizes = take(2 * recordCounts.length)
    const tables = recordCounts.map((_, block) => {
      const [own, templates] = [sizes[2 * block]!, sizes[2 * block + 1]!]
      if (own === untold) return undefined
      const [numbers, firstTimes, lastTimes] = [take(own), take(own), take(own)] as const
      return {
        ...{ numbers, firstTimes, lastTimes },
        counts: take(levelCount! * own),
        kindOfTemplate: take(templates),
      }
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

/** The integers of a block. */
interface BlockTables extends Omit<PatternTable, 'patterns' | 'levels'> {
  readonly numbers: Uint32Array
}

function checkTable(
  { numbers, counts, kindOfTemplate }: BlockTables,
  kindCount: number,
  recordCount: number,
): void {
  const isKind = numbers.every(number => number < kindCount)
  const isOfTemplate = kindOfTemplate.every(kind => kind <= numbers.length)
  const isWithin = counts.reduce((sum, count) => sum + count, 0) <= recordCount
  if (!isKind || !isOfTemplate || !isWithin) throw new RangeError('no block has such kinds')
}
