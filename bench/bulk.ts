/**
 * Many events in one request: cuts made records into NDJSON bodies, one stream's records in each, and
 * posts them over a few connections.
 */
import { gzipSync } from 'node:zlib'
import { Client } from './client.ts'
import type { MadeRecord } from './records.ts'
import { streams } from './streams.ts'

export interface Batch {
  readonly stream: number
  readonly records: number
  readonly body: Buffer
  /** How the body is encoded; as it is when absent. */
  readonly encoding?: 'gzip'
}

export interface BatchBounds {
  readonly recordsMax: number
  readonly bytesMax: number
}

const path = '/api/v1/webhook/event/logs?timestamp_field=ts'
/** Below the service's default limit of 64 MiB. */
export const bodyBytesMax = 60 * 1024 * 1024

/**
 * Yields a batch as soon as one stream has enough records for it, so that batches follow the order of
 * time as far as one token per request allows; what is left comes at the end.
 */
export function* makeBatches(
  records: Iterable<Pick<MadeRecord, 'stream' | 'json'>>,
  bounds: BatchBounds,
): Generator<Batch, void, undefined> {
  const pending = streams.map(() => ({ lines: [] as string[], bytes: 0 }))

  for (const { stream, json } of records) {
    const gathered = pending[stream]!
    const lineBytes = Buffer.byteLength(json) + 1
    if (gathered.bytes + lineBytes > bounds.bytesMax) {
      yield toBatch(stream, gathered.lines)
      pending[stream] = { lines: [json], bytes: lineBytes }
      continue
    }
    gathered.lines.push(json)
    gathered.bytes += lineBytes
    if (gathered.lines.length === bounds.recordsMax) {
      yield toBatch(stream, gathered.lines)
      pending[stream] = { lines: [], bytes: 0 }
    }
  }
  for (const [stream, { lines }] of pending.entries()) {
    if (lines.length > 0) {
      yield toBatch(stream, lines)
    }
  }
}

/** All records in one stream's body, as when a file is imported. */
export function* asOneStream(
  records: Iterable<MadeRecord>,
): Generator<MadeRecord, void, undefined> {
  for (const record of records) {
    yield { ...record, stream: 0 }
  }
}

function toBatch(stream: number, lines: readonly string[]): Batch {
  return { stream, records: lines.length, body: Buffer.from(`${lines.join('\n')}\n`) }
}

/** The same batch, compressed as senders do it: quickly. */
export function compressed(batch: Batch): Batch {
  return { ...batch, body: gzipSync(batch.body, { level: 1 }), encoding: 'gzip' }
}

/** Posts all batches; returns the count of acknowledged records. Throws when one was rejected. */
export async function sendBatches(options: {
  readonly baseUrl: string
  readonly tokens: readonly string[]
  readonly batches: Iterable<Batch>
  readonly connections: number
  /** Told of the records acknowledged so far, and how long the last answer took, in milliseconds. */
  readonly onAcknowledged?: (records: number, elapsedMs: number) => void
}): Promise<number> {
  const client = new Client(options.baseUrl, options.connections)
  const remaining = options.batches[Symbol.iterator]()
  let acknowledged = 0

  const sendInTurn = async () => {
    for (let next = remaining.next(); next.done !== true; next = remaining.next()) {
      const { stream, records, body, encoding } = next.value
      const token = options.tokens[stream]!
      const sentAt = performance.now()
      const answer = await client.post(path, token, 'application/x-ndjson', body, encoding)
      const { accepted } = JSON.parse(answer) as { accepted: number }
      if (accepted !== records) {
        throw new Error(`${accepted} of ${records} records were accepted: ${answer.slice(0, 500)}`)
      }
      acknowledged += accepted
      options.onAcknowledged?.(acknowledged, performance.now() - sentAt)
    }
  }
  await Promise.all(Array.from({ length: options.connections }, sendInTurn))
  client.close()
  return acknowledged
}
