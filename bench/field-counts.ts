/**
 * The values of some fields of all made records, in memory: the truth about facets, fields and values,
 * and the baseline that counts them in the plainest way.
 */
import type { MadeRecord } from './records.ts'
import { streams } from './streams.ts'

export interface ValueCount {
  readonly value: string
  readonly count: number
}

/** What is kept of each record; equal texts are one string. */
export const countedFields = [
  'log_level',
  'service.name',
  'environment',
  'http.method',
  'http.status',
  'thread',
  'host',
  'logger',
] as const
export type CountedField = (typeof countedFields)[number]

interface Event {
  readonly http: { readonly method: string; readonly status: number }
  readonly thread: string
  readonly host: string
  readonly logger: string
}

export class FieldCounts {
  readonly #values = new Map<CountedField, string[]>(countedFields.map(field => [field, []]))
  readonly #texts = new Map<string, string>()
  readonly #durations: number[] = []

  constructor(records: Iterable<MadeRecord>) {
    for (const { stream, level, json, durationMs } of records) {
      this.#durations.push(durationMs)
      const { http, thread, host, logger } = JSON.parse(json) as Event
      const { service, environment } = streams[stream]!
      const { method, status } = http
      const values = [level, service, environment, method, `${status}`, thread, host, logger]
      countedFields.forEach((field, i) => {
        this.#values.get(field)!.push(this.#once(values[i]!))
      })
    }
  }

  /** Values with counts, the largest first, ties by value; of all records or those of one level. */
  top(field: CountedField, level?: string): ValueCount[] {
    const levels = this.#values.get('log_level')!
    const values = this.#values.get(field)!
    const counts = countPlainly(
      level === undefined ? values : values.filter((_, i) => levels[i] === level),
    )
    return Array.from(counts, ([value, count]) => ({ value, count })).sort(
      (a, b) => b.count - a.count || (a.value < b.value ? -1 : 1),
    )
  }

  /** Those of `duration_ms` of all records, the least first. */
  durations(): Float64Array {
    return Float64Array.from(this.#durations).sort()
  }

  /** The time that counting some fields takes on one core, everything in memory, in milliseconds. */
  timePlainCount(fields: readonly CountedField[]): number {
    const startedAt = performance.now()
    for (const field of fields) countPlainly(this.#values.get(field)!)
    return performance.now() - startedAt
  }

  #once(text: string): string {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    this.#texts.set(text, text)
    return text
  }
}

function countPlainly(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
