/**
 * What of the skip index of a run, and of the token filters of its blocks, rules blocks out, in memory and by
 * itself: for a thread that reads no files. It rules out no more than `verdict.ts` does, and of that what
 * takes some ten looks at bytes: attributes that no record has, words and runs of letters that are nowhere.
 */
import { sharedText } from '../../columns/shared-text.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import type { Condition, Test } from '../../match/condition.ts'
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

  /** What is quickly said of a block; undefined: its skip index may tell more. */
  verdict(block: number, { attributes, texts }: QuickConditions): QuickVerdict | undefined {
    const filters = this.#blocks[block]
    if (filters === undefined) return undefined
    const kinds = this.#kinds[block]!
    let isAllFiltered = texts.length === 0
    // Plain loops: of a hundred blocks a function or an iterator made for each would be a good part of it.
    for (let i = 0; i < attributes.length; i++) {
      const { name, passesAbsent, words } = attributes[i]!
      const kind = kinds.get(name)
      if (kind === undefined && !passesAbsent) return 'none'
      const isFiltered = kind === textKinds.filtered && words !== undefined
      if (isFiltered && lacksWords(filters, words)) return 'none'
      isAllFiltered &&= isFiltered
    }
    for (let i = 0; i < texts.length; i++) if (lacksText(filters, texts[i]!)) return 'none'
    return isAllFiltered ? 'some' : undefined
  }
}

/**
 * `none`: no record of the block can match, because it lacks what one of the conditions asks for. `some`:
 * records may match, and nothing but columns says more.
 */
export type QuickVerdict = 'none' | 'some'

/** What takes some ten looks to say of a block, worked out once for all blocks of a question. */
export interface QuickConditions {
  readonly attributes: readonly QuickAttribute[]
  readonly texts: readonly QuickText[]
}

interface QuickAttribute {
  readonly name: string
  readonly passesAbsent: boolean
  /** Of the words that values must have; undefined where that takes long to say. */
  readonly words: readonly number[] | undefined
}

/** The hashes of words and runs of letters that a message must have. */
interface QuickText {
  readonly words: readonly number[]
  readonly letters: Uint32Array
}

/** Bytes of a text whose words and runs are quickly looked at. */
const textBytesMax = 1_024

/** Undefined when none of the conditions can quickly rule a block out. */
export function quickConditionsOf({
  attributeConditions,
  messageConditions,
}: WantedConditions): QuickConditions | undefined {
  const attributes = attributeConditions.map(({ name, condition, passesAbsent }) => {
    const test = quickTestOf(condition)
    return { name, passesAbsent, words: test && hashesOf(test) }
  })
  const tests = messageConditions.map(quickTestOf).filter(test => test !== undefined)
  const texts = tests.map(test => ({ words: hashesOf(test), letters: letterRunsOf(test.bytes) }))
  const isQuick = attributes.some(({ passesAbsent, words }) => !passesAbsent && words !== undefined)
  return isQuick || texts.length > 0 ? { attributes, texts } : undefined
}

type QuickTest = Exclude<Test, { readonly kind: 'matches' }>

/** The test of a condition whose words and runs texts must have; undefined where that takes long to say. */
function quickTestOf({ test, isNegated }: Condition): QuickTest | undefined {
  const isQuick = !isNegated && test.kind !== 'matches' && test.bytes.length <= textBytesMax
  return isQuick ? test : undefined
}

function hashesOf(test: QuickTest): readonly number[] {
  return wordsOfTest(test).map(hashOfWord)
}

function lacksText(filters: BlockFilters, { words, letters }: QuickText): boolean {
  if (!mayHoldRuns(filters.letters, letters)) return true
  return filters.messageKind === textKinds.filtered && lacksWords(filters, words)
}

/** Whether the token filter lacks one of the words, which are given by their hashes. */
function lacksWords({ words: filter }: BlockFilters, words: readonly number[]): boolean {
  if (filter === undefined) return false
  for (let i = 0; i < words.length; i++) if (!mayContainHash(filter, words[i]!)) return true
  return false
}
