/**
 * What there is of each kind of message: how many, of which levels and services, when first and last, how
 * many in each bucket of time, and some of the messages. From the numbers of templates, times and levels;
 * messages are made for samples only.
 */

import { hasMark } from '../../columns/codes.ts'
import { type MessagePattern, variableMark } from '../../columns/patterns/message-pattern.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { getOrInsertComputed } from '../../get-or-insert.ts'
import { limits } from '../../limits.ts'
import type { Timestamp } from '../../record.ts'
import { BlockPatterns } from './block-patterns.ts'
import { BucketCounts, type PlainBucketCounts } from './bucket-counts.ts'
import type { Collector, ToldBlock, ToldPart } from './collector.ts'
import { type CountedBlock, countTold } from './told-counts.ts'

export interface PatternsRequest {
  readonly kind: 'patterns'
  /** Width of a bucket in ms, at least 1; buckets are aligned to 1970. */
  readonly bucketMs: number
  /** Messages wanted of each kind. */
  readonly samples: number
}

/** Of one kind of message. */
export interface PatternCounts<Buckets = BucketCounts> extends MessagePattern {
  count: number
  firstSeen: Timestamp
  lastSeen: Timestamp
  readonly levels: Map<string, number>
  readonly services: Map<string, number>
  readonly buckets: Buckets
  /** Begins of messages. */
  readonly samples: string[]
  /** How many messages were looked at for them. */
  sampledCount: number
}

/** As they travel between threads. */
export interface PlainPatterns {
  readonly patterns: readonly PatternCounts<PlainBucketCounts>[]
  readonly forgottenCount: number
}

/** Characters of a message that are kept of it, and of all messages that are kept. */
export const sampleLengthMax = 2_000
const samplesLengthMax = 8_000_000
/** Messages looked at for each that is wanted: a kind may have fewer different ones than that. */
const lookedAtPerSample = 2
/** Kinds of a block that are taken where there is no room for all: enough of what may become frequent. */
const newKindsTaken = 2_000
const noSamples: readonly string[] = []

export class Patterns implements Collector<PlainPatterns> {
  readonly request: PatternsRequest
  /** What does not fit is forgotten, and said so. */
  readonly refusal = undefined
  /** By their texts: ids are made of those that are told. */
  #patterns = new Map<string, PatternCounts>()
  /** Records of patterns that were forgotten, because there are too many. */
  #forgottenCount = 0
  /** Characters of all samples. */
  #samplesLength = 0
  /** For `add`, which takes it. */
  #prepared: { readonly columns: RecordColumns; readonly block: BlockPatterns } | undefined

  constructor(request: Omit<PatternsRequest, 'kind'>) {
    this.request = { kind: 'patterns', ...request }
  }

  get forgottenCount(): number {
    return this.#forgottenCount
  }

  /** In no particular order. */
  get all(): readonly PatternCounts[] {
    return [...this.#patterns.values()]
  }

  get({ text }: Pick<MessagePattern, 'text'>): PatternCounts | undefined {
    return this.#patterns.get(text)
  }

  /** Finds the kinds of all messages that are selected. */
  prepare(columns: RecordColumns, selected: Uint8Array): void {
    this.#prepared = undefined
    this.#prepared = { columns, block: new BlockPatterns(columns, selected) }
  }

  /** Throws TurnOver. */
  add(columns: RecordColumns, selected: Uint8Array): void {
    const { levels, streams, streamCodes } = columns
    // A block may turn out damaged up to here: what is read comes before what is changed.
    if (this.#prepared?.columns !== columns) this.prepare(columns, selected)
    const { block } = this.#prepared!
    this.#prepared = undefined
    if (!hasMark(selected)) return
    const byLevel = block.countsByLevel()
    const byStream = block.countsBy(streamCodes, streams.length)
    const byTime = block.countsByTime(this.request.bucketMs)
    const isLet = this.#letGo(block)
    const samples = block.patterns.map((pattern, kind) =>
      block.counts[kind] === 0 || isLet?.[kind] === 1
        ? noSamples
        : this.#samplesOf(pattern, columns, block, kind),
    )
    const services = streams.map(({ service }) => service)
    const counted: CountedBlock = {
      ...{ patterns: block.patterns, counts: block.counts, byLevel, levels },
      ...{ byStream, services, byTime },
      firstSeen: kind => block.firstTimes[kind]!,
      lastSeen: kind => block.lastTimes[kind]!,
    }
    this.#addCounted(counted, samples, isLet)
  }

  /**
   * Of more new kinds than there is room for, only the most frequent of the block are taken. Marks the others
   * with 1; undefined: there are none.
   */
  #letGo({ patterns, counts }: Pick<CountedBlock, 'patterns' | 'counts'>): Uint8Array | undefined {
    const room = limits.patternsMax - this.#patterns.size
    if (patterns.length <= room) return undefined
    const isNew = (kind: number) => counts[kind]! > 0 && !this.#patterns.has(patterns[kind]!.text)
    const fresh = [...patterns.keys()].filter(isNew)
    if (fresh.length <= room) return undefined
    fresh.sort((a, b) => counts[b]! - counts[a]! || a - b)
    const isLet = new Uint8Array(patterns.length)
    for (const kind of fresh.slice(Math.max(room, newKindsTaken))) {
      isLet[kind] = 1
      this.#forgottenCount += counts[kind]!
    }
    return isLet
  }

  addTold(block: ToldBlock): boolean {
    return this.addToldPart(block, undefined) !== undefined
  }

  /** A block is opened where messages of its kinds are wanted, or buckets are no whole cells of time. */
  addToldPart(block: ToldBlock, part: ToldPart | undefined): number | undefined {
    const told = block.toldPatterns()
    if (told === undefined) return undefined
    const isWanted = (pattern: MessagePattern, kind: number) =>
      part?.kinds[kind] !== 0 && this.#wantsSamples(pattern)
    if (told.patterns.some(isWanted)) return undefined
    const counted = countTold(told, block, this.request.bucketMs, part)
    if (counted === undefined) return undefined
    this.#addCounted(counted, [])
    return counted.counts.reduce((sum, count) => sum + count, 0)
  }

  #addCounted(
    block: CountedBlock,
    samples: readonly (readonly string[])[],
    isLet?: Uint8Array,
  ): void {
    const { patterns, counts, byLevel, levels, byStream, services, byTime } = block
    const kindCount = patterns.length
    for (let kind = 0; kind < kindCount; kind++) {
      if (counts[kind] === 0 || isLet?.[kind] === 1) continue
      const kept = this.#kept(patterns[kind]!)
      kept.count += counts[kind]!
      kept.firstSeen = Math.min(kept.firstSeen, block.firstSeen(kind))
      kept.lastSeen = Math.max(kept.lastSeen, block.lastSeen(kind))
      for (let i = 0; i < levels.length; i++) {
        addCount(kept.levels, levels[i]!, byLevel[i * kindCount + kind]!)
      }
      for (let i = 0; i < services.length; i++) {
        addCount(kept.services, services[i]!, byStream[i * kindCount + kind]!)
      }
      let bucket = byTime.firstBucket
      for (let at = kind; at < byTime.counts.length; at += kindCount, bucket++) {
        if (byTime.counts[at]! > 0) kept.buckets.add(bucket, byTime.counts[at]!)
      }
      const own = samples[kind] ?? noSamples
      this.#addSamples(kept, own)
      kept.sampledCount += own.length
    }
    this.#forgetWhatDoesNotFit()
  }

  /** Messages of a kind, where more are wanted. */
  #samplesOf(
    pattern: MessagePattern,
    { message }: RecordColumns,
    block: BlockPatterns,
    kind: number,
  ): readonly string[] {
    if (!this.#wantsSamples(pattern)) return noSamples
    return block.endsOf(kind).map(row => message.textAt(row).slice(0, sampleLengthMax))
  }

  /** Whether further messages may tell more of what stands in the place of variables. */
  #wantsSamples({ text }: MessagePattern): boolean {
    const wanted = this.request.samples
    if (wanted === 0 || this.#samplesLength >= samplesLengthMax) return false
    const known = this.#patterns.get(text)
    if (known === undefined) return true
    if (known.samples.length >= wanted) return false
    if (known.sampledCount >= wanted * lookedAtPerSample) return false
    return known.sampledCount === 0 || text.includes(variableMark)
  }

  toPlain(): PlainPatterns {
    const patterns = this.all.map(pattern => ({ ...pattern, buckets: pattern.buckets.toPlain() }))
    return { patterns, forgottenCount: this.#forgottenCount }
  }

  addPlain({ patterns, forgottenCount }: PlainPatterns): void {
    this.#forgottenCount += forgottenCount
    for (const pattern of patterns) {
      const kept = this.#kept(pattern)
      kept.count += pattern.count
      kept.firstSeen = Math.min(kept.firstSeen, pattern.firstSeen)
      kept.lastSeen = Math.max(kept.lastSeen, pattern.lastSeen)
      for (const [level, count] of pattern.levels) addCount(kept.levels, level, count)
      for (const [service, count] of pattern.services) addCount(kept.services, service, count)
      kept.buckets.addPlain(pattern.buckets)
      this.#addSamples(kept, pattern.samples)
    }
    this.#forgetWhatDoesNotFit()
  }

  #kept(pattern: MessagePattern): PatternCounts {
    const { text } = pattern
    return getOrInsertComputed(this.#patterns, text, () => ({
      ...{ id: pattern.id, text, count: 0 },
      firstSeen: Number.POSITIVE_INFINITY,
      lastSeen: Number.NEGATIVE_INFINITY,
      levels: new Map(),
      services: new Map(),
      buckets: new BucketCounts(),
      samples: [],
      sampledCount: 0,
    }))
  }

  #addSamples({ samples }: PatternCounts, more: readonly string[]): void {
    for (const sample of more) {
      if (samples.length >= this.request.samples || samples.includes(sample)) continue
      samples.push(sample)
      this.#samplesLength += sample.length
    }
  }

  /** Keeps the half of the patterns that most records have. */
  #forgetWhatDoesNotFit(): void {
    if (this.#patterns.size <= limits.patternsMax) return
    const byCount = [...this.#patterns].sort(([, a], [, b]) => b.count - a.count)
    this.#patterns = new Map(byCount.splice(0, limits.patternsMax >>> 1))
    for (const [, { count, samples }] of byCount) {
      this.#forgottenCount += count
      for (const sample of samples) this.#samplesLength -= sample.length
    }
  }
}

function addCount(sums: Map<string, number>, name: string, count: number): void {
  if (count > 0) sums.set(name, (sums.get(name) ?? 0) + count)
}
