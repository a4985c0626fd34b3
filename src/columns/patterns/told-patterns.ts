/**
 * What is known of the kinds of all messages of a block, whatever is asked of them: counted when the block is
 * written, so that nobody has to read its messages for it.
 */

import { limits } from '../../limits.ts'
import type { SearchableColumn } from '../column.ts'
import type { Integers } from '../integers.ts'
import { TemplateColumn } from '../template/open.ts'
import { type PatternCodes, patternCodes } from './column-patterns.ts'
import { type LevelTimes, levelTimesOf } from './level-times.ts'
import type { MessagePattern } from './message-pattern.ts'

/** Of the records of one block, in order of time. Kinds are numbers from 0 up. */
export interface PatternTable {
  /** Each once, and each with a message. */
  readonly patterns: readonly MessagePattern[]
  readonly levels: readonly string[]
  /** How many records of each kind have each level: kind k has level l at `l * patterns.length + k`. */
  readonly counts: Uint32Array
  /** When each kind is first and last, ms since the block's first record. */
  readonly firstTimes: Uint32Array
  readonly lastTimes: Uint32Array
  /** Of each template of the messages 1 + its kind, or 0 where it has several. Empty without templates. */
  readonly kindOfTemplate: Uint32Array
  /** Undefined in what was written before it was counted. */
  readonly byLevel: LevelTimes | undefined
}

/** What a table is made of, each in the order of the rows. */
export interface ToldRows {
  readonly message: SearchableColumn
  readonly levels: readonly string[]
  readonly levelCodes: ArrayLike<number>
  /** Ascending, ms. */
  readonly timestamps: Float64Array
}

/** Undefined where there are too many kinds, or times are too far apart, to be told. */
export function tellPatterns(rows: ToldRows): PatternTable | undefined {
  const { message, levels, levelCodes, timestamps } = rows
  const startTime = timestamps[0]!
  if (timestamps.at(-1)! - startTime >= 2 ** 32) return undefined
  const coded = patternCodes(message)
  const { codes } = coded
  const numbered = numberKinds(coded)
  if (numbered === undefined) return undefined
  const { patterns, kindOfCode } = numbered
  const kindCount = patterns.length
  const counts = new Uint32Array(levels.length * kindCount)
  const firstTimes = new Uint32Array(kindCount)
  const lastTimes = new Uint32Array(kindCount)
  for (let row = codes.length - 1; row >= 0; row--) {
    firstTimes[kindOfCode[codes[row]!]!] = timestamps[row]! - startTime
  }
  for (let row = 0; row < codes.length; row++) {
    const kind = kindOfCode[codes[row]!]!
    lastTimes[kind] = timestamps[row]! - startTime
    counts[levelCodes[row]! * kindCount + kind]!++
  }
  const kindOfTemplate = kindsOfTemplates(message, codes, kindOfCode)
  const byLevel = levelTimesOf({ levelCodes, timestamps, codes, kindOfCode, kindCount, counts })
  return { patterns, levels, counts, firstTimes, lastTimes, kindOfTemplate, byLevel }
}

function numberKinds({ codes, codeCount, patternOf }: PatternCodes) {
  // Each may be looked at for as long as a hundred messages are encoded.
  if (codeCount > limits.toldTemplatesMax) return undefined
  const isSeen = new Uint8Array(codeCount)
  for (let row = 0; row < codes.length; row++) isSeen[codes[row]!] = 1
  const patterns: MessagePattern[] = []
  const kindOf = new Map<string, number>()
  const kindOfCode = new Uint32Array(codeCount)
  for (let code = isSeen.indexOf(1); code !== -1; code = isSeen.indexOf(1, code + 1)) {
    const pattern = patternOf(code)
    let kind = kindOf.get(pattern.text)
    if (kind === undefined) {
      kind = patterns.push(pattern) - 1
      if (kind === limits.toldPatternsMax) return undefined
      kindOf.set(pattern.text, kind)
    }
    kindOfCode[code] = kind
  }
  return { patterns, kindOfCode }
}

function kindsOfTemplates(
  message: SearchableColumn,
  codes: Integers,
  kindOfCode: Uint32Array,
): Uint32Array {
  if (!(message instanceof TemplateColumn)) return new Uint32Array(0)
  const ids = message.templateIds()
  const kinds = new Uint32Array(message.templates.length)
  const hasSeveral = new Uint8Array(kinds.length)
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row]!
    const kind = 1 + kindOfCode[codes[row]!]!
    if (kinds[id] === 0) kinds[id] = kind
    else if (kinds[id] !== kind) hasSeveral[id] = 1
  }
  return kinds.map((kind, id) => (hasSeveral[id] === 1 ? 0 : kind))
}
