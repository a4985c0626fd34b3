/**
 * Bodies that are small on the wire and large in memory, of each kind that there is: what senders of
 * good will send when they catch up, and what others send to fill the memory.
 */
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

export interface HeavyBody {
  readonly kind: string
  readonly path: string
  readonly contentType: string
  readonly encoding: 'gzip' | 'deflate' | 'zstd'
  /** Encoded. */
  readonly body: Buffer
}

const eventsPath = '/api/v1/webhook/event/logs'
const otlpPath = '/api/v1/otlp/v1/logs'
const json = 'application/json'
const protobuf = 'application/x-protobuf'

const compressors = {
  gzip: (body: Buffer) => gzipSync(body, { level: 6 }),
  deflate: (body: Buffer) => deflateSync(body, { level: 6 }),
  zstd: (body: Buffer) => zstdCompressSync(body),
} as const

/** Makes the body of a kind when it is needed: all at once would fill this process' memory. */
export type MakeHeavyBody = (decodedBytes: number) => HeavyBody

/** By name. Each is of about `decodedBytes` decoded, as far as the kind allows it. */
export const heavyBodies: Readonly<Record<string, MakeHeavyBody>> = {
  'events gzip': bytes => events('events gzip', 'gzip', usualEvents(bytes)),
  'events deflate': bytes => events('events deflate', 'deflate', usualEvents(bytes)),
  'events zstd': bytes => events('events zstd', 'zstd', usualEvents(bytes)),
  'one string': bytes => events('one string', 'gzip', oneString(bytes)),
  'one string deflate': bytes => events('one string deflate', 'deflate', oneString(bytes)),
  'one string zstd': bytes => events('one string zstd', 'zstd', oneString(bytes)),
  'tiny events': bytes => events('tiny events', 'gzip', tinyEvents(bytes)),
  'long names': bytes => events('long names', 'gzip', longNames(bytes)),
  'no events': bytes => events('no events', 'gzip', Buffer.alloc(bytes, ' ')),
  'OTLP JSON': bytes => otlp('OTLP JSON', json, otlpJson(bytes)),
  'OTLP protobuf': bytes => otlp('OTLP protobuf', protobuf, otlpProtobuf(bytes)),
  'OTLP empty scopes': bytes => otlp('OTLP empty scopes', protobuf, emptyScopes(bytes)),
  'OTLP long resource': bytes => otlp('OTLP long resource', protobuf, longResource(bytes)),
}

function events(kind: string, encoding: HeavyBody['encoding'], body: Buffer): HeavyBody {
  const encoded = compressors[encoding](body)
  return { kind, path: eventsPath, contentType: json, encoding, body: encoded }
}

function otlp(kind: string, contentType: string, body: Buffer): HeavyBody {
  return { kind, path: otlpPath, contentType, encoding: 'gzip', body: compressors.gzip(body) }
}

/** Log lines as services write them, the same hundred again and again. */
function usualEvents(bytes: number): Buffer {
  const lines = Array.from({ length: 100 }, (_, i) =>
    JSON.stringify({
      level: i % 50 === 0 ? 'error' : 'info',
      message: `GET /api/items/${(i * 7_919) % 10_007} took ${(i * 31) % 997} ms`,
      host: `node-${i % 40}`,
      status: i % 50 === 0 ? 500 : 200,
      trace: ((i + 1) * 2_654_435_761).toString(16).padStart(32, '0'),
    }),
  )
  return Buffer.alloc(bytes - (bytes % lines.join('\n').length), `${lines.join('\n')}\n`)
}

function oneString(bytes: number): Buffer {
  const body = Buffer.alloc(bytes, 'x')
  body.write('{"message":"')
  body.write('"}', bytes - 2)
  return body
}

/** A million of them for 60 MiB. */
function tinyEvents(bytes: number): Buffer {
  const event = '{}\n'
  return Buffer.alloc(event.length * Math.min(1_000_000, Math.floor(bytes / 60)), event)
}

/** Events whose attributes have names that are many times as long together as the event. */
function longNames(bytes: number): Buffer {
  const inner = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [i.toString(36), 1]))
  const line = `${JSON.stringify({ ['n'.repeat(4_000)]: inner })}\n`
  return Buffer.alloc(bytes - (bytes % line.length), line)
}

function otlpJson(bytes: number): Buffer {
  const record = JSON.stringify({
    timeUnixNano: '1795000000000000000',
    severityNumber: 9,
    body: { stringValue: 'a request was answered' },
    attributes: [{ key: 'http.status', value: { intValue: 200 } }],
  })
  const attributes = resourceAttributes.map(([key, value]) => ({
    key,
    value: { stringValue: value },
  }))
  const [before, after] = JSON.stringify({
    resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords: ['RECORDS'] }] }],
  }).split('"RECORDS"') as [string, string]
  const room = bytes - before.length - after.length
  const count = Math.floor(room / (record.length + 1))
  const records = Buffer.alloc(count * (record.length + 1), `${record},`)
  return Buffer.concat([Buffer.from(before), records.subarray(0, -1), Buffer.from(after)])
}

const resourceAttributes = Array.from(
  { length: 8 },
  (_, i) => [`resource.attribute.${i}`, `value ${i} of the resource`] as const,
)

/** Records of a few bytes, each of which is stored with the resource's attributes. */
function otlpProtobuf(bytes: number): Buffer {
  return otlpRequest(bytes, resourceAttributes)
}

/** A few records with a resource of nearly a megabyte. */
function longResource(bytes: number): Buffer {
  return otlpRequest(bytes, [['long', 'x'.repeat(250_000)], ...resourceAttributes])
}

function otlpRequest(bytes: number, resource: readonly (readonly [string, string])[]): Buffer {
  const record = new BinaryWriter()
  field(record, 5, value('a request was answered'))
  const one = new BinaryWriter()
  field(one, 2, record.finish())
  const records = Buffer.from(one.finish())
  const attributes = new BinaryWriter()
  for (const [key, text] of resource) field(attributes, 1, keyValue(key, text))
  const resourceLogs = new BinaryWriter()
  field(resourceLogs, 1, attributes.finish())
  const room = Math.max(records.length, bytes - 2 * resourceLogs.finish().length - 64)
  const whole = new BinaryWriter()
  field(whole, 1, attributes.finish())
  field(whole, 2, Buffer.alloc(room - (room % records.length), records))
  const request = new BinaryWriter()
  field(request, 1, whole.finish())
  return Buffer.from(request.finish())
}

/** Resources without anything, two bytes each. */
function emptyScopes(bytes: number): Buffer {
  const empty = new BinaryWriter()
  field(empty, 1, new Uint8Array(0))
  return Buffer.alloc(bytes - (bytes % 2), empty.finish())
}

function keyValue(key: string, text: string): Uint8Array {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).string(key)
  field(writer, 2, value(text))
  return writer.finish()
}

function value(text: string): Uint8Array {
  return new BinaryWriter().tag(1, WireType.LengthDelimited).string(text).finish()
}

function field(writer: BinaryWriter, number: number, message: Uint8Array): void {
  writer.tag(number, WireType.LengthDelimited).bytes(message)
}
