/** What the service says about its store, on /metrics. */
import type { Client } from './client.ts'

const names = {
  acceptedRecords: 'logstrata_events_accepted_total',
  journalRecords: 'logstrata_journal_records',
  unsealedFiles: 'logstrata_journal_unsealed_files',
  sealedRecords: 'logstrata_sealed_records_total',
  sealSeconds: 'logstrata_seal_seconds_total',
  compactions: 'logstrata_compactions_total',
  segmentRecords: 'logstrata_segment_records',
  segmentFiles: 'logstrata_segment_files',
  segmentBlocks: 'logstrata_segment_blocks',
  segmentBytes: 'logstrata_segment_bytes',
} as const

/** Counts since the start of the service, except those of the journal and of segments. */
export type StoreMetrics = Readonly<Record<keyof typeof names, number>>

export async function readMetrics(client: Client): Promise<StoreMetrics> {
  return parseMetrics(await client.get('/metrics'))
}

/** Reads the text format of Prometheus. Throws when a figure is missing. */
export function parseMetrics(text: string): StoreMetrics {
  const values = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [name, value] = line.split(' ')
    if (name !== undefined && value !== undefined && name !== '#') values.set(name, Number(value))
  }
  const figures = Object.entries(names).map(([figure, name]) => {
    const value = values.get(name)
    if (value === undefined || Number.isNaN(value)) throw new Error(`/metrics has no ${name}`)
    return [figure, value]
  })
  return Object.fromEntries(figures) as StoreMetrics
}
