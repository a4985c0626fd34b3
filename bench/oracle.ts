/**
 * The right answers: everything about the made records that the benchmarks ask for, kept in plain
 * arrays, so that a service's answer can be checked against a second, simpler way of counting. It
 * can also hold all messages as one text, for the baseline scan.
 *
 * A record takes 14 bytes, so that the truth about many millions fits beside the service.
 */
import { needles } from './needles.ts'
import type { MadeRecord } from './records.ts'
import { streams } from './streams.ts'
import { hosts } from './templates/slots.ts'
import { type Level, levels } from './templates/template.ts'

export type TextNeedle = 'phrase' | 'substring' | 'digits' | 'nowhere'
export type Needle = TextNeedle | 'regex' | 'traceId'

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
  readonly timestamp: number
  holds(needle: Needle): boolean
}

/** The truth about the records of one range of time. */
export interface Truth {
  count(matches: (labels: Labels) => boolean): number
  /** Count per group. */
  countBy(keyOf: (labels: Labels) => string): Map<string, number>
  /** The earliest timestamps of the records that match, in order. */
  earliest(limit: number, matches: (labels: Labels) => boolean): number[]
}

const textNeedles: readonly TextNeedle[] = ['phrase', 'substring', 'digits', 'nowhere']
const needleBits: Readonly<Record<Needle, number>> = {
  phrase: 1,
  substring: 2,
  digits: 4,
  nowhere: 8,
  regex: 16,
  traceId: 32,
}
const regex = new RegExp(needles.regex)
const hostNumbers = new Map(hosts.map((host, number) => [host, number]))

export class Oracle {
  #recordCount = 0
  readonly #timestamps: Float64Array
  readonly #streams: Uint8Array
  readonly #levels: Uint8Array
  readonly #hosts: Uint8Array
  readonly #statuses: Uint16Array
  readonly #needles: Uint8Array
  readonly #keepsMessages: boolean
  readonly #messageParts: Buffer[] = []
  #pendingMessages = ''
  #messages: Buffer | undefined

  constructor(options: { readonly recordsMax: number; readonly keepsMessages: boolean }) {
    const { recordsMax, keepsMessages } = options
    this.#timestamps = new Float64Array(recordsMax)
    this.#streams = new Uint8Array(recordsMax)
    this.#levels = new Uint8Array(recordsMax)
    this.#hosts = new Uint8Array(recordsMax)
    this.#statuses = new Uint16Array(recordsMax)
    this.#needles = new Uint8Array(recordsMax)
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
      countBy: keyOf => {
        const counts = new Map<string, number>()
        for (const labels of recordsIn()) {
          const key = keyOf(labels)
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
        return counts
      },
      earliest: (limit, matches) => {
        const matching: number[] = []
        for (const labels of recordsIn()) if (matches(labels)) matching.push(labels.timestamp)
        return matching.sort((a, b) => a - b).slice(0, limit)
      },
    }
  }

  /** All messages, one after another, each followed by a line end; empty unless they are kept. */
  get messages(): Buffer {
    if (this.#messages === undefined) {
      this.#flushMessages()
      this.#messages = Buffer.concat(this.#messageParts.splice(0))
    }
    return this.#messages
  }

  /** Always the same object, which moves from record to record: millions would take too long. */
  *#labelsIn({ startTime, endTime }: TimeRange): Generator<Labels, void, undefined> {
    let record = 0
    const stream = () => streams[this.#streams[record]!]!
    const [timestamps, recordLevels] = [this.#timestamps, this.#levels]
    const [recordHosts, statuses, held] = [this.#hosts, this.#statuses, this.#needles]
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

  #add({ stream, level, host, status, timestamp, message, json }: MadeRecord): void {
    const record = this.#recordCount
    if (record === this.#timestamps.length) throw new Error(`more records than ${record}`)
    this.#recordCount++
    this.#timestamps[record] = timestamp
    this.#streams[record] = stream
    this.#levels[record] = levels.indexOf(level)
    this.#hosts[record] = hostNumbers.get(host)!
    this.#statuses[record] = status
    let bits = regex.test(message) ? needleBits.regex : 0
    if (json.includes(needles.traceId)) bits |= needleBits.traceId
    for (const needle of textNeedles) {
      if (message.includes(needles[needle])) bits |= needleBits[needle]
    }
    this.#needles[record] = bits
    if (this.#keepsMessages) this.#keepMessage(message)
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

/** The baseline: how often a text stands in all messages, by `Buffer.indexOf`; gives milliseconds. */
export function timeIndexOf(messages: Buffer, text: string): number {
  const needle = Buffer.from(text)
  const startedAt = performance.now()
  let found = messages.indexOf(needle)
  while (found !== -1) {
    found = messages.indexOf(needle, found + needle.length)
  }
  return performance.now() - startedAt
}
