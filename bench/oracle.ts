/**
 * The right answers: everything about the made records that the benchmarks ask for, kept in plain
 * arrays, so that a service's answer can be checked against a second, simpler way of counting. It
 * can also hold the first 2,000,000 messages as one text, for the baseline scan.
 *
 * A record takes 18 bytes, so that the truth about many millions fits beside the service.
 */
import { needles as madeNeedles, type Needles } from './needles.ts'
import type { MadeRecord } from './records.ts'
import { streams } from './streams.ts'
import { hosts } from './templates/slots.ts'
import { type Level, levels } from './templates/template.ts'

export type Needle = keyof Needles

/** Both ends belong to it; Unix ms. */
export interface TimeRange {
  readonly startTime: number
  readonly endTime: number
}

/** What queries can ask of a record. Valid only until the oracle shows the next one. */
export interface Labels {
  readonly service: string
  readonly environment: string
  readonly level: Level
  readonly host: string
  readonly status: number
  readonly durationMs: number
  readonly timestamp: number
  holds(needle: Needle): boolean
}

export interface TracedRecord {
  readonly traceId: string
  readonly timestamp: number
}

/** The truth about the records of one range of time. */
export interface Truth {
  count(matches: (labels: Labels) => boolean): number
  /** Count per group. */
  countBy(keyOf: (labels: Labels) => string): Map<string, number>
  /** The earliest timestamps of the records that match, in order. */
  earliest(limit: number, matches: (labels: Labels) => boolean): number[]
  /** The latest ones, the latest first. */
  latest(limit: number, matches: (labels: Labels) => boolean): number[]
  /** The quantile of the durations per group, between two of them as PromQL has it. */
  durationQuantiles(share: number, keyOf: (labels: Labels) => string): Map<string, number>
  /** Up to 256 records, in no order of time, each of which alone has its trace id. */
  traced(): TracedRecord[]
}

export interface OracleOptions {
  readonly recordsMax: number
  readonly keepsMessages: boolean
  /** What `holds` tells of; default: what made messages hold. */
  readonly needles?: Needles
}

/** What the baseline searches, at most: beyond, its time is scaled. */
const keptMessagesMax = 2_000_000
const tracedMax = 256
/** A prime: one after the other, they shall not be neighbours in the store. */
const tracedStride = 101

const textNeedles = ['phrase', 'substring', 'digits', 'nowhere', 'word'] as const
const needleBits: Readonly<Record<Needle, number>> = {
  phrase: 1,
  substring: 2,
  digits: 4,
  nowhere: 8,
  word: 16,
  regex: 32,
  ending: 64,
  traceId: 128,
}
const hostNumbers = new Map(hosts.map((host, number) => [host, number]))

export class Oracle {
  #recordCount = 0
  readonly #timestamps: Float64Array
  readonly #streams: Uint8Array
  readonly #levels: Uint8Array
  readonly #hosts: Uint8Array
  readonly #statuses: Uint16Array
  /** In hundredths of a millisecond, as they are made. */
  readonly #durations: Uint32Array
  readonly #held: Uint8Array
  readonly #needles: Needles
  readonly #regex: RegExp
  readonly #ending: RegExp
  readonly #traced: TracedRecord[] = []
  readonly #keepsMessages: boolean
  readonly #messageParts: Buffer[] = []
  #pendingMessages = ''
  #messages: Buffer | undefined

  constructor({ recordsMax, keepsMessages, needles = madeNeedles }: OracleOptions) {
    this.#timestamps = new Float64Array(recordsMax)
    this.#streams = new Uint8Array(recordsMax)
    this.#levels = new Uint8Array(recordsMax)
    this.#hosts = new Uint8Array(recordsMax)
    this.#statuses = new Uint16Array(recordsMax)
    this.#durations = new Uint32Array(recordsMax)
    this.#held = new Uint8Array(recordsMax)
    this.#needles = needles
    this.#regex = new RegExp(needles.regex)
    this.#ending = new RegExp(needles.ending)
    this.#keepsMessages = keepsMessages
  }

  /** Passes the records on, and remembers them. */
  *watch(records: Iterable<MadeRecord>): Generator<MadeRecord, void, undefined> {
    for (const record of records) {
      this.#add(record)
      yield record
    }
  }

  over(range: TimeRange): Truth {
    const recordsIn = () => this.#labelsIn(range)
    return {
      count: matches => {
        let count = 0
        for (const labels of recordsIn()) count += matches(labels) ? 1 : 0
        return count
      },
      countBy: keyOf => countBy(recordsIn(), keyOf),
      earliest: (limit, matches) => firstTimes(recordsIn(), limit, matches, (a, b) => a - b),
      latest: (limit, matches) => firstTimes(recordsIn(), limit, matches, (a, b) => b - a),
      durationQuantiles: (share, keyOf) => this.#durationQuantiles(range, share, keyOf),
      traced: () => {
        const { length } = this.#traced
        return this.#traced
          .map((_, turn) => this.#traced[(turn * tracedStride) % length]!)
          .filter(({ timestamp }) => range.startTime <= timestamp && timestamp <= range.endTime)
      },
    }
  }

  /** The first 2,000,000 messages, each followed by a line end; empty unless they are kept. */
  get messages(): Buffer {
    if (this.#messages === undefined) {
      this.#flushMessages()
      this.#messages = Buffer.concat(this.#messageParts.splice(0))
    }
    return this.#messages
  }

  /** What a time over `messages` is to be multiplied with for all records. */
  get messagesScale(): number {
    return Math.max(1, this.#recordCount / keptMessagesMax)
  }

  #durationQuantiles(
    range: TimeRange,
    share: number,
    keyOf: (labels: Labels) => string,
  ): Map<string, number> {
    const groups = new Map<string, { durations: Float64Array; filled: number }>()
    for (const [key, count] of countBy(this.#labelsIn(range), keyOf)) {
      groups.set(key, { durations: new Float64Array(count), filled: 0 })
    }
    for (const labels of this.#labelsIn(range)) {
      const group = groups.get(keyOf(labels))!
      group.durations[group.filled++] = labels.durationMs
    }
    return new Map(
      [...groups].map(([key, { durations }]) => [key, quantile(durations.sort(), share)]),
    )
  }

  /** Always the same object, which moves from record to record: millions would take too long. */
  *#labelsIn({ startTime, endTime }: TimeRange): Generator<Labels, void, undefined> {
    let record = 0
    const stream = () => streams[this.#streams[record]!]!
    const [timestamps, recordLevels] = [this.#timestamps, this.#levels]
    const [recordHosts, statuses, held] = [this.#hosts, this.#statuses, this.#held]
    const durations = this.#durations
    const labels: Labels = {
      get service() {
        return stream().service
      },
      get environment() {
        return stream().environment
      },
      get level() {
        return levels[recordLevels[record]!]!
      },
      get host() {
        return hosts[recordHosts[record]!]!
      },
      get status() {
        return statuses[record]!
      },
      get durationMs() {
        return durations[record]! / 100
      },
      get timestamp() {
        return timestamps[record]!
      },
      holds: needle => (held[record]! & needleBits[needle]) !== 0,
    }
    for (; record < this.#recordCount; record++) {
      const timestamp = timestamps[record]!
      if (startTime <= timestamp && timestamp <= endTime) yield labels
    }
  }

  #add(made: MadeRecord): void {
    const { stream, level, host, status, durationMs, timestamp, traceId, message } = made
    const record = this.#recordCount
    const recordsMax = this.#timestamps.length
    if (record === recordsMax) throw new Error(`more records than ${record}`)
    this.#recordCount++
    this.#timestamps[record] = timestamp
    this.#streams[record] = stream
    this.#levels[record] = levels.indexOf(level)
    this.#hosts[record] = hostNumbers.get(host)!
    this.#statuses[record] = status
    this.#durations[record] = Math.round(durationMs * 100)
    this.#held[record] = this.#bitsOf(message, traceId)
    const tracedEvery = Math.max(1, Math.floor(recordsMax / tracedMax))
    const isTraced = record % tracedEvery === tracedEvery >>> 1 && this.#traced.length < tracedMax
    if (isTraced) this.#traced.push({ traceId, timestamp })
    if (this.#keepsMessages && record < keptMessagesMax) this.#keepMessage(message)
  }

  #bitsOf(message: string, traceId: string): number {
    let bits = traceId === this.#needles.traceId ? needleBits.traceId : 0
    if (this.#regex.test(message)) bits |= needleBits.regex
    if (this.#ending.test(message)) bits |= needleBits.ending
    for (const needle of textNeedles) {
      if (message.includes(this.#needles[needle])) bits |= needleBits[needle]
    }
    return bits
  }

  #keepMessage(message: string): void {
    this.#pendingMessages += `${message}\n`
    if (this.#pendingMessages.length > 1_000_000) this.#flushMessages()
  }

  #flushMessages(): void {
    this.#messageParts.push(Buffer.from(this.#pendingMessages))
    this.#pendingMessages = ''
  }
}

function countBy(records: Iterable<Labels>, keyOf: (labels: Labels) => string) {
  const counts = new Map<string, number>()
  for (const labels of records) {
    const key = keyOf(labels)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

function firstTimes(
  records: Iterable<Labels>,
  limit: number,
  matches: (labels: Labels) => boolean,
  compare: (a: number, b: number) => number,
): number[] {
  let first: number[] = []
  for (const labels of records) {
    if (!matches(labels)) continue
    first.push(labels.timestamp)
    // Not all of millions are kept.
    if (first.length > limit + 10_000) first = first.sort(compare).slice(0, limit)
  }
  return first.sort(compare).slice(0, limit)
}

/** Of ascending values, at least one. */
function quantile(values: Float64Array, share: number): number {
  const rank = share * (values.length - 1)
  const lower = Math.floor(rank)
  const upper = Math.min(values.length - 1, lower + 1)
  const weight = rank - lower
  return values[lower]! * (1 - weight) + values[upper]! * weight
}

/** The baseline: how often a text stands in all messages, by `Buffer.indexOf`; returns milliseconds. */
export function timeIndexOf(messages: Buffer, text: string): number {
  const needle = Buffer.from(text)
  const startedAt = performance.now()
  let found = messages.indexOf(needle)
  while (found !== -1) {
    found = messages.indexOf(needle, found + needle.length)
  }
  return performance.now() - startedAt
}
