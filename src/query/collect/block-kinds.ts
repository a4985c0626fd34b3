/** The kinds of the messages of a batch or block, by number: of a block they are kept. */

import type { Integers } from '../../columns/integers.ts'
import type { PatternCodes } from '../../columns/patterns/column-patterns.ts'
import type { MessagePattern } from '../../columns/patterns/message-pattern.ts'
import type { PatternTable } from '../../columns/patterns/told-patterns.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import { isList, type SelectedRows } from './selected-rows.ts'

/** Counts of kinds by something else: that of kind k is at `number * kindCount + k`. */
export type KindCounts = Uint32Array

/** In the place of a code's kind that nobody has asked for yet: kinds are numbered from 1. */
const noKind = 0

/** How many there are of each kind, and when the first and the last. */
export interface CountedKinds {
  readonly counts: Uint32Array
  readonly firstTimes: Float64Array
  readonly lastTimes: Float64Array
}

/** Of all records of a block. */
export interface WholeKinds extends CountedKinds {
  byLevel?: KindCounts
}

/** Kept for as long as the codes are, and counted with them (`codeBytes`): blocks do not change. */
const knownKinds = new WeakMap<PatternCodes, BlockKinds>()

/** The kinds of the codes of a column, numbered as they are asked for. */
export class BlockKinds {
  /** That of `noKind` means nothing. */
  readonly patterns: MessagePattern[] = [{ id: '', text: '' }]
  readonly kindOfCode: Uint32Array
  /** Whether all codes are numbered. */
  isNumbered = false
  whole: WholeKinds | undefined
  readonly #kindOf = new Map<string, number>()
  readonly #patternOf: PatternCodes['patternOf']

  constructor({ codeCount, patternOf }: PatternCodes) {
    this.kindOfCode = new Uint32Array(codeCount)
    this.#patternOf = patternOf
  }

  /** Takes what is told of a block. */
  take(told: PatternTable, { levels, minTimestamp }: RecordColumns): void {
    for (const pattern of told.patterns) this.#kindOfPattern(pattern)
    this.kindOfCode.set(told.kindOfTemplate)
    this.isNumbered = told.kindOfTemplate.length > 0 && !this.kindOfCode.includes(noKind)
    const kindCount = this.patterns.length
    const counts = new Uint32Array(kindCount)
    const byLevel = new Uint32Array(levels.length * kindCount)
    told.levels.forEach((level, i) => {
      const own = told.counts.subarray(i * (kindCount - 1), (i + 1) * (kindCount - 1))
      const at = levels.indexOf(level)
      if (at !== -1) byLevel.set(own, at * kindCount + 1)
      own.forEach((count, kind) => {
        counts[kind + 1]! += count
      })
    })
    const times = (distances: Uint32Array) =>
      Float64Array.from([0, ...distances], distance => minTimestamp + distance)
    const [firstTimes, lastTimes] = [times(told.firstTimes), times(told.lastTimes)]
    this.whole = { counts, firstTimes, lastTimes, byLevel }
  }

  /** Numbers the kind of a code. Throws TurnOver. */
  number(code: number): void {
    this.kindOfCode[code] = this.#kindOfPattern(this.#patternOf(code))
  }

  #kindOfPattern(pattern: MessagePattern): number {
    return getOrInsertComputed(this.#kindOf, pattern.text, () => this.patterns.push(pattern) - 1)
  }
}

/** `told`: what is told of the block of the columns. */
export function kindsOf(
  columns: RecordColumns,
  coded: PatternCodes,
  told: PatternTable | undefined,
) {
  return getOrInsertComputed(knownKinds, coded, () => {
    const kinds = new BlockKinds(coded)
    if (told !== undefined) kinds.take(told, columns)
    return kinds
  })
}

/** Numbers the kinds of the rows. Throws TurnOver. */
export function numberCodes(kinds: BlockKinds, codes: Integers, rows: SelectedRows): void {
  const { kindOfCode } = kinds
  for (let i = 0; i < rows.count; i++) {
    const code = codes[isList(rows) ? rows.list[i]! : rows.from + i]!
    if (kindOfCode[code] === noKind) kinds.number(code)
  }
}
