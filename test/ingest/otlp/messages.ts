/**
 * OTLP requests for tests, from one description to both encodings. The protobuf is written by the
 * library's writer with the field numbers spelled out, so that it does not depend on what it
 * checks.
 */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import { anyCodePoint } from '../../any-code-point.ts'

export type Value =
  | { readonly text: string }
  | { readonly truth: boolean }
  | { readonly integer: bigint }
  | { readonly double: number }
  | { readonly list: readonly Value[] }
  | { readonly fields: Fields }
  | { readonly bytes: Uint8Array }
  | { readonly empty: true }

export type Fields = readonly (readonly [key: string, value: Value])[]

export interface Log {
  readonly time?: bigint
  readonly observedTime?: bigint
  readonly severityNumber?: number
  readonly severityText?: string
  readonly body?: Value
  readonly attributes?: Fields
  readonly dropped?: number
  readonly traceId?: string
  readonly spanId?: string
  readonly eventName?: string
}

export interface Scope {
  readonly name?: string
  readonly version?: string
  readonly attributes?: Fields
}

export interface ScopeLogs {
  readonly scope?: Scope
  readonly logs: readonly Log[]
}

export interface ResourceLogs {
  readonly resource?: Fields
  readonly scopes: readonly ScopeLogs[]
}

export type Request = readonly ResourceLogs[]

/** In which order the fields of messages stand: both are allowed. */
export type Order = 'usual' | 'reversed'

export const text = (value: string): Value => ({ text: value })

/** A request of one scope without a name. */
export const requestOf = (logs: readonly Log[], resource: Fields = []): Request => [
  { resource, scopes: [{ logs }] },
]

export function toJson(request: Request, order: Order = 'usual'): Buffer {
  const inOrder = (object: object) => {
    const entries = Object.entries(object).filter(([, value]) => value !== undefined)
    return Object.fromEntries(order === 'usual' ? entries : entries.reverse())
  }
  const resourceLogs = request.map(({ resource, scopes }) =>
    inOrder({
      resource: resource && { attributes: resource.map(keyValueJson) },
      scopeLogs: scopes.map(({ scope, logs }) =>
        inOrder({
          scope: scope && { ...scope, attributes: scope.attributes?.map(keyValueJson) },
          logRecords: logs.map(log => inOrder(logJson(log))),
          schemaUrl: 'https://opentelemetry.io/schemas/1.37.0',
        }),
      ),
    }),
  )
  return Buffer.from(JSON.stringify({ resourceLogs }))
}

function logJson({ time, observedTime, body, attributes, dropped, ...rest }: Log): object {
  return {
    timeUnixNano: time?.toString(),
    observedTimeUnixNano: observedTime?.toString(),
    body: body && valueJson(body),
    attributes: attributes?.map(keyValueJson),
    droppedAttributesCount: dropped,
    flags: 1,
    ...rest,
  }
}

const keyValueJson = ([key, value]: Fields[number]) => ({ key, value: valueJson(value) })

function valueJson(value: Value): object {
  if ('text' in value) return { stringValue: value.text }
  if ('truth' in value) return { boolValue: value.truth }
  if ('integer' in value) return { intValue: String(value.integer) }
  if ('double' in value) {
    return { doubleValue: Number.isFinite(value.double) ? value.double : String(value.double) }
  }
  if ('list' in value) return { arrayValue: { values: value.list.map(valueJson) } }
  if ('fields' in value) return { kvlistValue: { values: value.fields.map(keyValueJson) } }
  if ('bytes' in value) return { bytesValue: Buffer.from(value.bytes).toString('base64') }
  return {}
}

export function toProtobuf(request: Request, order: Order = 'usual'): Buffer {
  const inOrder = (about: readonly Buffer[], list: readonly Buffer[]) =>
    order === 'usual' ? [...about, ...list] : [...list, ...about]
  const parts = request.map(({ resource, scopes }) => {
    const about = resource ? [message(1, resource.map(keyValue(1)))] : []
    const list = scopes.map(({ scope, logs }) => {
      const records = logs.map(log => message(2, logParts(log)))
      const url = textField(3, 'https://opentelemetry.io/schemas/1.37.0')
      return message(2, inOrder(scope ? [scopePart(scope)] : [], [...records, ...url]))
    })
    return message(1, inOrder(about, list))
  })
  return Buffer.concat(parts)
}

function scopePart({ name, version, attributes = [] }: Scope): Buffer {
  const texts = [...textField(1, name), ...textField(2, version)]
  return message(1, [...texts, ...attributes.map(keyValue(3))])
}

function logParts(log: Log): Buffer[] {
  const { time, observedTime, severityNumber, body, attributes = [], dropped } = log
  const fixed = (field: number, value: bigint | undefined) =>
    value === undefined ? [] : [written(w => w.tag(field, WireType.Bit64).fixed64(value))]
  const integer = (field: number, value: number | undefined) =>
    value === undefined ? [] : [written(w => w.tag(field, WireType.Varint).int32(value))]
  const id = (field: number, hex: string | undefined) =>
    hex === undefined ? [] : [delimited(field, Buffer.from(hex, 'hex'))]
  return [
    ...fixed(1, time),
    ...integer(2, severityNumber),
    ...textField(3, log.severityText),
    ...(body ? [message(5, valueParts(body))] : []),
    ...attributes.map(keyValue(6)),
    ...integer(7, dropped),
    written(w => w.tag(8, WireType.Bit32).fixed32(1)),
    ...id(9, log.traceId),
    ...id(10, log.spanId),
    ...fixed(11, observedTime),
    ...textField(12, log.eventName),
  ]
}

const keyValue =
  (field: number) =>
  ([key, value]: Fields[number]) =>
    message(field, [...textField(1, key), message(2, valueParts(value))])

function valueParts(value: Value): Buffer[] {
  if ('text' in value) return textField(1, value.text)
  if ('truth' in value) return [written(w => w.tag(2, WireType.Varint).bool(value.truth))]
  if ('integer' in value) return [written(w => w.tag(3, WireType.Varint).int64(value.integer))]
  if ('double' in value) return [written(w => w.tag(4, WireType.Bit64).double(value.double))]
  if ('list' in value) {
    return [
      message(
        5,
        value.list.map(inside => message(1, valueParts(inside))),
      ),
    ]
  }
  if ('fields' in value) return [message(6, value.fields.map(keyValue(1)))]
  if ('bytes' in value) return [delimited(7, value.bytes)]
  return []
}

/** A field that holds a message of these fields. */
export function message(field: number, parts: readonly Buffer[]): Buffer {
  return delimited(field, Buffer.concat(parts))
}

function textField(field: number, value: string | undefined): Buffer[] {
  return value === undefined ? [] : [delimited(field, Buffer.from(value))]
}

export function delimited(field: number, bytes: Uint8Array): Buffer {
  return written(w => w.tag(field, WireType.LengthDelimited).bytes(bytes))
}

export function written(write: (writer: BinaryWriter) => BinaryWriter): Buffer {
  return Buffer.from(write(new BinaryWriter()).finish())
}

const anyText = fc.string({ unit: anyCodePoint, maxLength: 8 })
const key = fc.oneof(
  fc.constantFrom('a', 'a.b', 'service.name', 'environment', 'message', '__proto__', '', '7'),
  anyText,
)
const { value: anyValue } = fc.letrec<{ value: Value; fields: Fields }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.record({ text: anyText }),
    fc.record({ truth: fc.boolean() }),
    fc.record({ integer: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }) }),
    fc.record({ double: fc.double() }),
    fc.record({ bytes: fc.uint8Array({ maxLength: 5 }) }),
    fc.constant({ empty: true } as const),
    fc.record({ list: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({ fields: tie('fields') }),
  ),
  fields: fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }),
}))
const someFields = fc.array(fc.tuple(key, anyValue), { maxLength: 5 })
const time = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(id => Buffer.from(id).toString('hex'))

const anyLog: fc.Arbitrary<Log> = fc.record(
  {
    time,
    observedTime: time,
    severityNumber: fc.integer({ min: -3, max: 30 }),
    severityText: fc.oneof(fc.constantFrom('WARN', 'Error', 'Information'), anyText),
    body: anyValue,
    attributes: someFields,
    dropped: fc.nat(3),
    traceId: hex(16),
    spanId: hex(8),
    eventName: anyText,
  },
  { requiredKeys: [] },
)

/** Any request that there can be. */
export const anyRequest: fc.Arbitrary<Request> = fc.array(
  fc.record(
    {
      resource: someFields,
      scopes: fc.array(
        fc.record(
          {
            scope: fc.record(
              { name: anyText, version: anyText, attributes: someFields },
              { requiredKeys: [] },
            ),
            logs: fc.array(anyLog, { maxLength: 3 }),
          },
          { requiredKeys: ['logs'] },
        ),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ['scopes'] },
  ),
  { maxLength: 2 },
)
