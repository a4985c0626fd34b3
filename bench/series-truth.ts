/** What series over the made records must be: counts and durations per service, level and bucket. */
import type { MadeRecord } from './records.ts'
import { streams } from './streams.ts'

/** A group's label values, `/` between them, and a bucket to what is in it. */
type Cells = Map<string, number[]>

export class SeriesTruth {
  readonly #counts = { service: new Map(), level: new Map(), host: new Map(), all: new Map() }
  readonly #durations: Cells = new Map()
  readonly #bucketOf: (timestamp: number) => number

  constructor(records: Iterable<MadeRecord>, bucketOf: (timestamp: number) => number) {
    this.#bucketOf = bucketOf
    for (const record of records) this.#take(record)
  }

  #take({ stream, level, host, timestamp, json }: MadeRecord): void {
    const { service } = streams[stream]!
    const bucket = this.#bucketOf(timestamp)
    addOne(this.#counts.service, service, bucket)
    addOne(this.#counts.level, level, bucket)
    addOne(this.#counts.host, host, bucket)
    addOne(this.#counts.all, `${service}/${level}/${host}`, bucket)
    const [, duration] = /"duration_ms":([^,]+)/.exec(json)!
    const key = `${service} ${bucket}`
    const durations = this.#durations.get(key)
    if (durations === undefined) this.#durations.set(key, [Number(duration)])
    else durations.push(Number(duration))
  }

  /** Records per group: `/` stands between the values of the groups of `all`. */
  count(by: 'service' | 'level' | 'host' | 'all', group: string, bucket: number): number {
    return (this.#counts[by] as Cells).get(group)?.[bucket] ?? 0
  }

  /** Durations of a service in a bucket, ascending. */
  durations(service: string, bucket: number): readonly number[] {
    return (this.#durations.get(`${service} ${bucket}`) ?? []).toSorted((a, b) => a - b)
  }
}

function addOne(counts: Cells, group: string, bucket: number): void {
  const known = counts.get(group)
  const own = known ?? []
  own[bucket] = (own[bucket] ?? 0) + 1
  if (known === undefined) counts.set(group, own)
}
