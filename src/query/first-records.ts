/**
 * Keeps the first records of blocks that were searched for them: a question whose count the index knows
 * needs no scan thread when it, or one about the same blocks, was asked before.
 *
 * Blocks never change, and a number of a segment is never given again: which records of some blocks are the
 * first ones depends on the blocks, on what is asked of them, on the order and on how many are wanted. The
 * time that is asked about does not matter, since blocks whose records the index counts lie within it. What
 * is found damaged is out of sight by the next question, which then is about other blocks.
 */
import type { Sequence } from '../record.ts'
import type { ExecuteResult } from './execute.ts'
import { type PackedRecords, packRecords, unpackRecords } from './packed-records.ts'
import type { Plan } from './plan.ts'
import type { FoundRecord } from './rebuild.ts'
import { noStats, type ScanQuery, textLength } from './scan-task.ts'

/** Blocks that are named in a key. */
const blocksMax = 128
/** Characters of a selector that is named in a key. */
const selectorLengthMax = 2_000
/** Records of an answer that is kept; characters of their texts, and of all that is kept. */
const recordsMax = 128
const lengthMax = 64 * 1024
const keptLengthMax = 1024 * 1024
/** Of an answer beside its texts: its key, its objects. */
const lengthEach = 1024

interface Kept {
  /** By themselves: as they came, their texts are parts of one that others are in, too. */
  readonly records: PackedRecords
  readonly sequences: readonly Sequence[]
  readonly length: number
}

export class FirstRecords {
  /** The one that was asked for last stands last. */
  readonly #kept = new Map<string, Kept>()
  #length = 0

  /** What executing the plan would give, without the work; undefined where that is not known. */
  resultOf(plan: Plan, query: ScanQuery): ExecuteResult | undefined {
    const key = keyOf(plan, query)
    const kept = key === undefined ? undefined : this.#kept.get(key)
    if (key === undefined || kept === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const { count } = plan
    const { sequences } = kept
    const records: FoundRecord[] = []
    for (const [i, record] of unpackRecords(kept.records).entries()) {
      records.push({ ...record!, sequence: sequences[i]! })
    }
    const hasMore = count > records.length
    return { count, records, hasMore, stats: noStats(), damaged: [] }
  }

  /** Keeps what executing the plan gave, if that is worth it, and whole. */
  keep(plan: Plan, query: ScanQuery, { records, stats, damaged }: ExecuteResult): void {
    const isWhole = records.length === Math.min(plan.count, query.limit)
    if (!isWhole || damaged.length > 0 || stats.damagedFrames > 0) return
    const key = keyOf(plan, query)
    if (key === undefined || this.#kept.has(key)) return
    const length = records.reduce((sum, record) => sum + textLength(record), lengthEach)
    if (records.length > recordsMax || length > lengthMax) return
    const sequences = records.map(({ sequence }) => sequence)
    this.#kept.set(key, { records: packRecords(records), sequences, length })
    this.#length += length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#length <= keptLengthMax) return
      this.#kept.delete(oldest)
      this.#length -= length
    }
  }
}

/** Names blocks and what is asked of them; undefined where more than that decides. */
function keyOf({ scanned, searched }: Plan, query: ScanQuery): string | undefined {
  const { selector, limit, order, after, arrived, chosen, isExplained } = query
  const asksMore = after !== undefined || arrived !== undefined || chosen !== undefined
  const isKnown = scanned.length === 0 && searched.length > 0 && searched.length <= blocksMax
  if (!isKnown || asksMore || isExplained === true || limit > recordsMax) return undefined
  let blocks = ''
  for (const { source } of searched) {
    // A range of the journal is soon in a segment.
    if (source.kind === 'journal') return undefined
    blocks += `${source.segment}:${source.directory.offset} `
  }
  const asked = JSON.stringify(selector)
  return asked.length > selectorLengthMax ? undefined : `${order} ${limit} ${blocks}${asked}`
}
