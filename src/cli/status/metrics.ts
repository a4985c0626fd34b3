/** What /metrics says, as the few numbers that a person asks for. */

/** By metric: the sum over all its label sets. */
export type Metrics = ReadonlyMap<string, number>

export interface Sample {
  readonly metrics: Metrics
  readonly takenAtMs: number
}

export interface StatusMetrics {
  readonly uptimeSeconds: number | undefined
  readonly records: number
  readonly segments: number
  readonly journalFiles: number
  /** Of segments and journal. */
  readonly diskBytes: number
  readonly memoryBytes: number
  readonly events: { readonly total: number; readonly rejected: number; readonly perSecond: number }
  readonly queries: { readonly total: number; readonly failed: number; readonly perSecond: number }
  /** Frames and blocks that queries could not read since the start. */
  readonly damaged: number
  readonly unsealedFiles: number
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{.*\})? (\S+)(?: \d+)?$/

/** Reads the text format of Prometheus, as far as sums of plain samples go. */
export function readMetrics(text: string): Metrics {
  const sums = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, name, value] = sampleLine.exec(line) ?? []
    const amount = Number(value)
    // A gauge without a value says NaN; it must not spoil a sum.
    if (name !== undefined && !Number.isNaN(amount)) sums.set(name, (sums.get(name) ?? 0) + amount)
  }
  return sums
}

/** Rates are between two samples; everything else is of the later one. */
export function statusMetrics(first: Sample, last: Sample, nowMs: number): StatusMetrics {
  const seconds = Math.max(1, last.takenAtMs - first.takenAtMs) / 1000
  const of = (name: string) => last.metrics.get(`logstrata_${name}`) ?? 0
  const rate = (name: string) => {
    const growth = of(name) - (first.metrics.get(`logstrata_${name}`) ?? 0)
    // A service that was started again in between counts from 0.
    return Math.max(0, growth) / seconds
  }
  const startedAt = last.metrics.get('process_start_time_seconds')
  return {
    uptimeSeconds: startedAt && Math.max(0, Math.round(nowMs / 1000 - startedAt)),
    records: of('journal_records') + of('segment_records'),
    segments: of('segment_files'),
    journalFiles: of('journal_files'),
    diskBytes: of('journal_bytes') + of('segment_bytes'),
    memoryBytes: last.metrics.get('process_resident_memory_bytes') ?? 0,
    events: {
      total: of('events_accepted_total'),
      rejected: of('events_rejected_total'),
      perSecond: rate('events_accepted_total'),
    },
    queries: {
      total: of('query_duration_seconds_count'),
      failed: of('queries_failed_total'),
      perSecond: rate('query_duration_seconds_count'),
    },
    damaged: of('damaged_frames_total') + of('damaged_blocks_total'),
    unsealedFiles: of('journal_unsealed_files'),
  }
}
