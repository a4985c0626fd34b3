/**
 * What of the skip index of a run, and of the token filters of its blocks, rules blocks out, in memory and by
 * itself: for a thread that reads no files. It rules out no more than `verdict.ts` does, and of that what
 * takes some ten looks at bytes: attributes that no record has, words and runs of letters that are nowhere.
 */
import { sharedText } from '../../columns/shared-text.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import type { AttributeCondition, Condition, Test } from '../../match/condition.ts'
import { readFilter } from '../filter-pages.ts'
import type { SegmentFile } from '../segment-file.ts'
import { mayContainHash } from '../token-filter.ts'
import { wordsOfTest } from '../tokens.ts'
import { hashOfWord } from '../word-hashes.ts'
import { mayHoldRuns } from './bit-filter.ts'
import { letterRunsOf } from './letter-runs.ts'
import { type SkipIndex, textKinds } from './skip-index.ts'
import type { WantedConditions } from './verdict.ts'

interface BlockFilters {
  /** One of `textKinds`. */
  readonly messageKind: number
  /** Of the messages, for `mayHoldRuns`. */
  readonly letters: Uint8Array
  /** The token filter; undefined when the block has none. */
  readonly words: Uint8Array | undefined
}

/** As those of a block travel between threads. */
export interface PlainBlockFilters extends BlockFilters {
  /** Attributes that records of it have, and what the index has of each (`textKinds`). */
  readonly attributes: readonly [name: string, kind: number][]
}

/** Reads the filters of all blocks of a run, each in memory of its own. Throws SegmentCorrupt. */
export function readRunFilters(index: SkipIndex, file: SegmentFile): PlainBlockFilters[] {
  return Array.from({ length: index.blockCount }, (_, block) => {
    const filter = index.filter(block)
    return {
      messageKind: index.messageKind(block),
      letters: Uint8Array.from(index.letters(block)),
      words: filter && readFilter(file, filter),
      attributes: index.attributes(block),
    }
  })
}

/** Of an attribute of a run, and of a block beside its filters. */
const attributeBytes = 150
const blockBytes = 200

export class RunFilters {
  readonly #blocks: readonly BlockFilters[]
  /** Of the attributes of each block; blocks that have the same share them. */
  readonly #kinds: readonly ReadonlyMap<string, number>[]
  /** Bytes of memory held, roughly. */
  readonly heldBytes: number

  constructor(blocks: readonly PlainBlockFilters[]) {
    const shared = new Map<string, ReadonlyMap<string, number>>()
    this.#blocks = blocks.map(({ messageKind, letters, words }) => ({
      messageKind,
      letters,
      words,
    }))
    this.#kinds = blocks.map(({ attributes }) =>
      getOrInsertComputed(
        shared,
        JSON.stringify(attributes),
        () => new Map(attributes.map(([name, kind]) => [sharedText(name), kind])),
      ),
    )
    let bytes = blockBytes * blocks.length
    for (const { letters, words } of blocks) bytes += letters.length + (words?.length ?? 0)
    for (const { size } of shared.values()) bytes += attributeBytes * size
    this.heldBytes = bytes
  }

  /** Whether no record of a block can match, because it lacks what one of the conditions asks for. */
  rulesOut(block: number, { attributeConditions, messageConditions }: WantedConditions): boolean {
    const filters = this.#blocks[block]
    if (filters === undefined) return false
    const kinds = this.#kinds[block]!
    if (attributeConditions.some(condition => lacksAttribute(filters, kinds, condition)))
      return true
    return messageConditions.some(condition => lacksText(filters, condition))
  }
}

/** Bytes of a text whose words and runs are quickly looked at. */
const textBytesMax = 1_024

type QuickTest = Exclude<Test, { readonly kind: 'matches' }>

/** The test of a condition whose words and runs texts must have; undefined where that takes long to say. */
function quickTestOf({ test, isNegated }: Condition): QuickTest | undefined {
  const isQuick = !isNegated && test.kind !== 'matches' && test.bytes.length <= textBytesMax
  return isQuick ? test : undefined
}

/** Whether it takes no more than some ten looks to see that a block lacks what a condition asks for. */
export function isQuicklyRuledOut({
  attributeConditions,
  messageConditions,
}: WantedConditions): boolean {
  const isQuick = (condition: Condition) => quickTestOf(condition) !== undefined
  return (
    attributeConditions.some(
      ({ condition, passesAbsent }) => !passesAbsent && isQuick(condition),
    ) || messageConditions.some(isQuick)
  )
}

function lacksAttribute(
  filters: BlockFilters,
  kinds: ReadonlyMap<string, number>,
  { name, condition, passesAbsent }: AttributeCondition,
): boolean {
  const kind = kinds.get(name)
  if (kind === undefined) return !passesAbsent
  const test = quickTestOf(condition)
  return test !== undefined && kind === textKinds.filtered && lacksWords(filters, test)
}

function lacksText(filters: BlockFilters, condition: Condition): boolean {
  const test = quickTestOf(condition)
  if (test === undefined) return false
  if (!mayHoldRuns(filters.letters, lettersOf(test))) return true
  return filters.messageKind === textKinds.filtered && lacksWords(filters, test)
}

/** Whether the token filter lacks a word that a text must have to pass a test. */
function lacksWords({ words }: BlockFilters, test: QuickTest): boolean {
  return words !== undefined && !hashesOf(test).every(hash => mayContainHash(words, hash))
}

/** The same for all blocks of a query. */
const hashesByTest = new WeakMap<Test, readonly number[]>()
const lettersByTest = new WeakMap<Test, Uint32Array>()

function hashesOf(test: QuickTest): readonly number[] {
  return getOrInsertComputed(hashesByTest, test, () => wordsOfTest(test).map(hashOfWord))
}

function lettersOf(test: QuickTest): Uint32Array {
  return getOrInsertComputed(lettersByTest, test, () => letterRunsOf(test.bytes))
}
