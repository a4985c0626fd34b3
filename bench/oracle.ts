/**
 * The right answers: everything about the made records that `query.ts` asks for, kept in plain arrays,
 * so that a service's answer can be checked against a second, simpler way of counting. It also holds
 * all messages as one text, for the baseline scan.
 */
import { needles } from './needles.ts'
import type { MadeRecord } from './records.ts'
import { streams } from './streams.ts'

export type TextNeedle = 'phrase' | 'substring' | 'digits' | 'nowhere'
const textNeedles: readonly TextNeedle[] = ['phrase', 'substring', 'digits', 'nowhere']
const regex = new RegExp(needles.regex)

/** The part of a record that labels can ask for. */
export interface Labels {
  readonly service: string
  readonly environment: string
  readonly level: string
  readonly host: string
  readonly status: number
  readonly timestamp: number
}

export class Oracle {
  /** Records that hold each needle. */
  readonly textHits: Record<TextNeedle | 'regex', number> = {
    phrase: 0,
    substring: 0,
    digits: 0,
    nowhere: 0,
    regex: 0,
  }
  readonly #labels: Labels[] = []
  readonly #messageParts: Buffer[] = []
  #pendingMessages = ''
  #messages: Buffer | undefined;

  /** Passes the records on, and remembers them. */
  *watch(records: Iterable<MadeRecord>): Generator<MadeRecord, void, undefined> {
    for (const record of records) {
      this.#add(record)
      yield record
    }
  }

  count(matches: (labels: Labels) => boolean): number {
    return this.#labels.reduce((count, labels) => count + (matches(labels) ? 1 : 0), 0)
  }

  /** Count per group, the key being the group's label values joined by `/`. */
  countBy(keyOf: (labels: Labels) => string): Map<string, number> {
    const counts = new Map<string, number>()
    for (const labels of this.#labels) {
      const key = keyOf(labels)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  /** The earliest timestamps of the records that match, in order. */
  earliest(limit: number, matches: (labels: Labels) => boolean): number[] {
    const matching = this.#labels.filter(matches).map(({ timestamp }) => timestamp)
    return matching.toSorted((a, b) => a - b).slice(0, limit)
  }

  /** All messages, one after another, each followed by a line end. */
  get messages(): Buffer {
    if (this.#messages === undefined) {
      this.#flushMessages()
      this.#messages = Buffer.concat(this.#messageParts.splice(0))
    }
    return this.#messages
  }

  #add({ stream, level, host, status, timestamp, message }: MadeRecord): void {
    const { service, environment } = streams[stream]!
    this.#labels.push({ service, environment, level, host, status, timestamp })
    for (const needle of textNeedles) {
      this.textHits[needle] += message.includes(needles[needle]) ? 1 : 0
    }
    this.textHits.regex += regex.test(message) ? 1 : 0
    this.#pendingMessages += `${message}\n`
    if (this.#pendingMessages.length > 1_000_000) {
      this.#flushMessages()
    }
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
