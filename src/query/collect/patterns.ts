/**
 * What there is of each kind of message: how many, of which levels and services, when first and last, how
 * many in each bucket of time, and some of the messages. From the numbers of templates, times and levels;
 * messages are made for samples only.
 */

import { type MessagePattern, variableMark } from '../../columns/patterns/message-pattern.ts'
import type { RecordColumns } from '../../columns/record-columns.ts'
import { limits } from '../../limits.ts'
import type { Timestamp } from '../../record.ts'
import { BlockPatterns } from './block-patterns.ts'
import { BucketCounts, type PlainBucketCounts } from './bucket-counts.ts'
import type { Collector } from './collector.ts'

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
const sampleLengthMax = 2_000
const samplesLengthMax = 8_000_000
/** Messages looked at for each that is wanted: a kind may have fewer different ones than that. */
const lookedAtPerSample = 4
const noSamples: readonly string[] = []

export class Patterns implements Collector<PlainPatterns> {
  readonly request: PatternsRequest
  /** What does not fit is forgotten, and said so. */
  readonly refusal = undefined
  #patterns = new Map<string, PatternCounts>()
  /** Records of patterns that were forgotten, because there are too many. */
  #forgottenCount = 0
  /** Characters of all samples. */
  #samplesLength = 0

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

  get(id: string): PatternCounts | undefined {
    return this.#patterns.get(id)
  }

  /** The index does not know messages. */
  takesEntry(): boolean {
    return false
  }

  addEntry(): void {
    throw new Error('BUG: an entry that is not taken was given')
  }

  /** Throws TurnOver. */
  add(columns: RecordColumns, selected: Uint8Array): void {
    const { levels, levelCodes, streams, streamCodes } = columns
    // A block may turn out damaged up to here: what is read comes before what is changed.
    const block = new BlockPatterns(columns, selected)
    const byLevel = block.countsBy(levelCodes, levels.length)
    const byStream = block.countsBy(streamCodes, streams.length)
    const { firstBucket, counts: byTime } = block.countsByTime(this.request.bucketMs)
    const samples = block.patterns.map((pattern, kind) =>
      kind === 0 ? noSamples : this.#samplesOf(pattern, columns, block, kind),
    )
    const kindCount = block.patterns.length
    for (let kind = 1; kind < kindCount; kind++) {
      const kept = this.#kept(block.patterns[kind]!)
      kept.count += block.counts[kind]!
      kept.firstSeen = Math.min(kept.firstSeen, columns.timestamp(block.firstRows[kind]!))
      kept.lastSeen = Math.max(kept.lastSeen, columns.timestamp(block.lastRows[kind]!))
      for (const [i, level] of levels.entries()) {
        addCount(kept.levels, level, byLevel[i * kindCount + kind]!)
      }
      for (const [i, { service }] of streams.entries()) {
        addCount(kept.services, service, byStream[i * kindCount + kind]!)
      }
      for (let at = kind, bucket = firstBucket; at < byTime.length; at += kindCount, bucket++) {
        if (byTime[at]! > 0) kept.buckets.add(bucket, byTime[at]!)
      }
      this.#addSamples(kept, samples[kind]!)
      kept.sampledCount += samples[kind]!.length
    }
    this.#forgetWhatDoesNotFit()
  }

  /** Messages of a kind, where more are wanted. */
  #samplesOf(
    pattern: MessagePattern,
    { message }: RecordColumns,
    { firstRows, lastRows }: BlockPatterns,
    kind: number,
  ): readonly string[] {
    if (!this.#wantsSamples(pattern)) return noSamples
    const rows = new Set([firstRows[kind]!, lastRows[kind]!])
    return Array.from(rows, row => message.textAt(row).slice(0, sampleLengthMax))
  }

  /** Whether further messages may tell more of what stands in the place of variables. */
  #wantsSamples({ id, text }: MessagePattern): boolean {
    const known = this.#patterns.get(id)
    if (this.#samplesLength >= samplesLengthMax) return false
    if (known === undefined) return true
    const wanted = this.request.samples
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

  #kept({ id, text }: MessagePattern): PatternCounts {
    let kept = this.#patterns.get(id)
    if (kept === undefined) {
      kept = {
        ...{ id, text, count: 0 },
        firstSeen: Number.POSITIVE_INFINITY,
        lastSeen: Number.NEGATIVE_INFINITY,
        levels: new Map(),
        services: new Map(),
        buckets: new BucketCounts(),
        samples: [],
        sampledCount: 0,
      }
      this.#patterns.set(id, kept)
    }
    return kept
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
