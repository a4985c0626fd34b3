/** The made records (`records.ts`) as the requests of senders of other services, each in its protocol. */

import { pushRequest, snappyOf } from '../test/ingest/formats/loki-messages.ts'
import type { Log } from '../test/ingest/otlp/messages.ts'
import { requestOf, text, toProtobuf } from '../test/ingest/otlp/messages.ts'
import { arrayOf, entry, eventTime, pack } from '../test/listen/forward-messages.ts'
import type { MadeRecord } from './records.ts'
import { services } from './streams.ts'

export interface SenderBodies {
  /** Undefined: the forward protocol, by a socket. */
  readonly path: string | undefined
  readonly contentType: string
  readonly bodyOf: (records: readonly MadeRecord[]) => Buffer
}

const json = 'application/json'
const protobuf = 'application/x-protobuf'

/** By name. */
export const senderBodies: Readonly<Record<string, SenderBodies>> = {
  events: {
    path: '/api/v1/webhook/event/logs?timestamp_field=ts',
    contentType: 'application/x-ndjson',
    bodyOf: records => lines(records, ({ json }) => json),
  },
  bulk: {
    path: '/elastic/logs-app/_bulk',
    contentType: 'application/x-ndjson',
    bodyOf: records => lines(records, record => `{"create":{}}\n${documentOf(record)}`),
  },
  'Loki protobuf': {
    path: '/loki/api/v1/push',
    contentType: protobuf,
    bodyOf: records => snappyOf(pushRequest(streamsOf(records))),
  },
  HEC: {
    path: '/services/collector/event',
    contentType: json,
    bodyOf: records => lines(records, hecOf),
  },
  Datadog: {
    path: '/api/v2/logs',
    contentType: json,
    bodyOf: records => Buffer.from(JSON.stringify(records.map(datadogOf))),
  },
  'OTLP protobuf': {
    path: '/v1/logs',
    contentType: protobuf,
    bodyOf: records => toProtobuf(requestOf(records.map(otlpOf))),
  },
  forward: { path: undefined, contentType: '', bodyOf: packedOf },
}

function lines(records: readonly MadeRecord[], lineOf: (record: MadeRecord) => string): Buffer {
  return Buffer.from(records.map(record => `${lineOf(record)}\n`).join(''))
}

/** The event without its time, which each protocol says in its own way. */
function eventOf({ json }: MadeRecord): Record<string, unknown> {
  const { ts: _, ...event } = JSON.parse(json)
  return event
}

const iso = (timestamp: number) => new Date(timestamp).toISOString()

function documentOf(record: MadeRecord): string {
  return JSON.stringify({ '@timestamp': iso(record.timestamp), ...eventOf(record) })
}

function hecOf(record: MadeRecord): string {
  const { host, ...event } = eventOf(record)
  return JSON.stringify({ time: record.timestamp / 1_000, host, source: 'app', event })
}

function datadogOf(record: MadeRecord): object {
  const { host, level, ...event } = eventOf(record)
  const around = { ddsource: 'nodejs', ddtags: 'env:prod', hostname: host, status: level }
  return { ...around, timestamp: record.timestamp, ...event }
}

/** Streams of a service and level; the rest of a record is structured metadata. */
function streamsOf(records: readonly MadeRecord[]) {
  const byLabels = new Map<string, MadeRecord[]>()
  for (const record of records) {
    const app = services[record.stream >>> 1]!.service
    const labels = `{app="${app}", level="${record.level}"}`
    const found = byLabels.get(labels)
    if (found === undefined) byLabels.set(labels, [record])
    else found.push(record)
  }
  return [...byLabels].map(([labels, ofStream]) => ({
    labels,
    entries: ofStream.map(record => ({
      time: BigInt(record.timestamp) * 1_000_000n,
      line: record.message,
      metadata: metadataOf(record),
    })),
  }))
}

function metadataOf({ host, traceId, durationMs, status }: MadeRecord): Record<string, string> {
  return { host, trace_id: traceId, duration_ms: String(durationMs), status: String(status) }
}

function otlpOf({ timestamp, level, message, traceId, durationMs, status, host }: MadeRecord): Log {
  return {
    time: BigInt(timestamp) * 1_000_000n,
    severityText: level,
    body: text(message),
    traceId,
    attributes: [
      ['host', text(host)],
      ['duration_ms', { double: durationMs }],
      ['http.status', { integer: BigInt(status) }],
    ],
  }
}

/** PackedForward without its acknowledgement: that has a name of its own each time (`packedMessage`). */
function packedOf(records: readonly MadeRecord[]): Buffer {
  const entries = records.map(record => {
    const { timestamp } = record
    const time = eventTime(Math.floor(timestamp / 1_000), (timestamp % 1_000) * 1_000_000)
    return entry(time, eventOf(record))
  })
  return pack(Buffer.concat(entries))
}

/** A whole message of the forward protocol, of `packed` entries, which is to be acknowledged as `chunk`. */
export function packedMessage(packed: Buffer, chunk: string): Buffer {
  return arrayOf(pack('app'), packed, pack({ chunk }))
}
