import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { WireType } from '@bufbuild/protobuf/wire'
import fc from 'fast-check'
import t from 'tap'
import { type OtlpEncoding, readOtlp } from '../../../src/ingest/otlp/read-otlp.ts'
import { limits } from '../../../src/limits.ts'
import { ProblemError } from '../../../src/problems.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import {
  anyRequest,
  delimited,
  type Log,
  message,
  requestOf,
  text,
  toJson,
  toProtobuf,
  type Value,
  written,
} from './messages.ts'

const context = { receivedAt: 1, eventBytesMax: 1_000_000 }
const encodings = { json: toJson, protobuf: toProtobuf } as const
const good: Log = { body: text('good') }

/** What became of each record: its message, or the code and the field of its problem. */
const outcomes = (body: Buffer, encoding: OtlpEncoding) =>
  [...readOtlp(body, encoding, context)].map(({ record, problem }) =>
    record === undefined ? [problem?.code, problem?.extras.field] : record.message,
  )

/** Reads `logs` in both encodings, which must agree, and tells what became of them. */
function both(logs: readonly Log[], resource: readonly (readonly [string, Value])[] = []) {
  const request = requestOf(logs, resource)
  const expected = outcomes(toJson(request), 'json')
  assert.deepEqual(outcomes(toProtobuf(request), 'protobuf'), expected)
  return expected
}

const nested = (levels: number): Value =>
  levels === 0
    ? text('x')
    : levels % 2
      ? { list: [nested(levels - 1)] }
      : inFields(nested(levels - 1))
const inFields = (value: Value): Value => ({ fields: [['k', value]] })

t.test('a record over a limit is refused alone, and the limit itself is allowed', async t => {
  const refuses = (log: Log, code: string, field: string | undefined) =>
    t.same(both([good, log, good]), ['good', [code, field], 'good'])
  const takes = (log: Log) => t.equal(both([log]).length, 1)
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => [`a${i}`, text('')] as const)
  const long = 'x'.repeat(limits.attributeValueBytesMax)

  takes({ attributes: [['a', nested(limits.eventDepthMax - 1)]] })
  refuses({ attributes: [['a', nested(limits.eventDepthMax)]] }, 'field_invalid', 'value')
  takes({ body: nested(limits.eventDepthMax) })
  refuses({ body: nested(limits.eventDepthMax + 1) }, 'field_invalid', 'value')
  takes({ attributes: many(limits.eventAttributesMax) })
  refuses({ attributes: many(limits.eventAttributesMax + 1) }, 'attributes_too_many', 'a1000')
  const andAnId = { attributes: many(limits.eventAttributesMax), traceId: 'ab'.repeat(16) }
  refuses(andAnId, 'attributes_too_many', 'trace_id')
  takes({ attributes: [['a', text(long)]] })
  refuses({ attributes: [['a', text(`${long}x`)]] }, 'attribute_too_large', 'a')
  refuses({ body: text('x'.repeat(context.eventBytesMax)) }, 'body_too_large', undefined)
})

t.test('attributes of the resource count too, and refuse the records under it', async t => {
  const shared = Array.from(
    { length: limits.eventAttributesMax },
    (_, i) => [`s${i}`, text('')] as const,
  )
  t.same(both([good, { ...good, attributes: [['own', text('')]] }], shared), [
    'good',
    ['attributes_too_many', 'attributes'],
  ])
  const tooLarge = [['big', text('x'.repeat(limits.attributeValueBytesMax + 1))]] as const
  const request = [...requestOf([good, good], tooLarge), ...requestOf([good])]
  for (const encoding of ['json', 'protobuf'] as const) {
    const refused = ['attribute_too_large', 'big']
    t.same(outcomes(encodings[encoding](request), encoding), [refused, refused, 'good'], encoding)
  }
})

t.test('when every record is refused, so is the request', async t => {
  const deep = { body: nested(limits.eventDepthMax + 1) }
  t.throws(() => both([deep, deep]), {
    code: 'events_unreadable',
    extras: { field: 'value', members: { rejected: 2, firstCode: 'field_invalid' } },
  })
})

t.test('values nested without end are refused, and cost nothing', async t => {
  const deepest: Buffer[] = []
  let length = 0
  for (let level = 0; level < 100_000; level += 1) {
    // From the inside out: a list (field 5) of one value (field 1), which is the list before.
    for (const field of [1, 5]) {
      const head = written(w => w.tag(field, WireType.LengthDelimited).uint32(length))
      deepest.push(head)
      length += head.length
    }
  }
  const body = delimited(5, Buffer.concat(deepest.reverse()))
  const deep = message(1, [message(2, [message(2, [body]), message(2, [])])])
  t.same(outcomes(deep, 'protobuf'), [['field_invalid', 'value'], '{}'])

  const value = `${'{"arrayValue":{"values":['.repeat(100_000)}${']}}'.repeat(100_000)}`
  const json = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":${value}},{}]}]}]}`
  const lenient = { ...context, eventBytesMax: 1e9 }
  t.match(
    [...readOtlp(Buffer.from(json), 'json', lenient)].map(({ problem }) => problem?.code),
    ['json_too_deep', undefined],
  )
})

t.test('protobuf that is cut anywhere is refused', async t => {
  const whole = toProtobuf(requestOf([good, { attributes: [['a', { integer: 300n }]] }]))
  t.equal(outcomes(whole, 'protobuf').length, 2)
  for (let length = 1; length < whole.length; length += 1) {
    const cut = whole.subarray(0, length)
    t.throws(() => outcomes(cut, 'protobuf'), { code: 'protobuf_invalid' }, `${length} bytes`)
  }
})

t.test('a record that is no protobuf inside is refused alone', async t => {
  const refuses = (field: Buffer, code = 'protobuf_invalid') => {
    const whole = message(2, [delimited(5, delimited(1, Buffer.from('after it')))])
    const logs = [message(2, [field]), whole]
    t.same(outcomes(message(1, [message(2, logs)]), 'protobuf'), [[code, undefined], 'after it'])
  }
  const { Varint, Bit64, Bit32 } = WireType

  refuses(written(w => w.tag(1, Varint).uint32(1)))
  refuses(written(w => w.tag(1, Bit32).fixed32(1)))
  refuses(written(w => w.tag(2, Bit64).fixed64(1)))
  refuses(delimited(2, Buffer.from('9')))
  refuses(written(w => w.tag(3, Varint).uint32(1)))
  refuses(written(w => w.tag(5, Varint).uint32(1)))
  refuses(written(w => w.tag(6, Bit64).fixed64(1)))
  refuses(written(w => w.tag(9, Bit32).fixed32(1)))
  refuses(written(w => w.tag(11, Varint).uint32(1)))
  refuses(
    delimited(
      5,
      written(w => w.tag(1, Varint).uint32(1)),
    ),
  )
  refuses(delimited(5, delimited(2, Buffer.from('x'))))
  refuses(delimited(5, delimited(3, Buffer.from('x'))))
  refuses(
    delimited(
      5,
      written(w => w.tag(4, Varint).uint32(1)),
    ),
  )
  refuses(
    delimited(
      5,
      written(w => w.tag(5, Varint).uint32(1)),
    ),
  )
  refuses(Buffer.of(0x0f)) // Wire type 7.
  refuses(Buffer.of(0x01)) // Field 0.
  refuses(Buffer.of(0x0c)) // The end of a group that never began.
  refuses(Buffer.of(0x2a, 0x05, 0x0a)) // Longer than the record, not than the body.
  refuses(Buffer.of(0x9a, 0x06, 0x05)) // The same in a field that is not known.
  refuses(Buffer.of(0x80)) // Half a tag.
  refuses(delimited(3, Buffer.from([0xff, 0xfe])), 'utf8_invalid')
  refuses(delimited(3, Buffer.concat([Buffer.alloc(40, 'a'), Buffer.of(0xc3)])), 'utf8_invalid')
})

t.test('fields that are not known are skipped, whatever they are', async t => {
  const unknown = [
    written(w => w.tag(99, WireType.Varint).uint64(1n << 63n)),
    written(w => w.tag(98, WireType.Bit32).fixed32(7)),
    written(w => w.tag(97, WireType.Bit64).fixed64(7)),
    delimited(96, Buffer.from('anything')),
    written(w => w.tag(95, WireType.StartGroup).tag(1, WireType.Varint).bool(true).tag(95, 4)),
  ]
  const log = message(2, [
    ...unknown,
    message(5, [...unknown, ...[delimited(1, Buffer.from('m'))]]),
  ])
  const resource = message(1, unknown)
  const body = message(1, [...unknown, resource, message(2, [...unknown, log])])
  t.same(outcomes(Buffer.concat([...unknown, body]), 'protobuf'), ['m'])

  const more = '"x":{"y":[1,{}]},"z":null,"n":1e400,"t":true'
  const json = `{${more},"resourceLogs":[{${more},"scopeLogs":[{${more},"logRecords":[{${more},"body":{"stringValue":"m"}}]}]}]}`
  t.same(outcomes(Buffer.from(json), 'json'), ['m'])
})

/** A body with one good record, and another with these members. */
const jsonWith = (members: string) =>
  Buffer.from(
    `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"a"}},{${members}}]}]}]}`,
  )

t.test('a record whose field has no such value in JSON is refused alone, by its field', async t => {
  const refuses = (members: string, field: string) =>
    t.same(outcomes(jsonWith(members), 'json'), ['a', ['field_invalid', field]], members)
  const refusesValue = (value: string, field: string) => refuses(`"body":${value}`, field)

  refuses('"timeUnixNano":"now"', 'timeUnixNano')
  refuses('"timeUnixNano":-1', 'timeUnixNano')
  refuses('"timeUnixNano":1.5', 'timeUnixNano')
  refuses('"timeUnixNano":"18446744073709551616"', 'timeUnixNano')
  refuses('"observedTimeUnixNano":{}', 'observedTimeUnixNano')
  refuses('"severityNumber":"SEVERITY_NUMBER_INFO"', 'severityNumber')
  refuses('"severityNumber":4294967296', 'severityNumber')
  refuses('"severityText":7', 'severityText')
  refuses('"traceId":7', 'traceId')
  refuses('"eventName":[]', 'eventName')
  refuses('"attributes":{}', 'attributes')
  refuses('"attributes":[7]', 'attributes')
  refuses('"attributes":[{"key":7}]', 'key')
  refuses('"attributes":[{"key":"a","value":"b"}]', 'value')
  refusesValue('"text"', 'value')
  refusesValue('9007199254740993', 'value')
  refusesValue('{"stringValue":7}', 'stringValue')
  refusesValue('{"boolValue":"true"}', 'boolValue')
  refusesValue('{"intValue":"9223372036854775808"}', 'intValue')
  refusesValue('{"intValue":1.5}', 'intValue')
  refusesValue('{"intValue":true}', 'intValue')
  refusesValue('{"doubleValue":"much"}', 'doubleValue')
  refusesValue('{"doubleValue":""}', 'doubleValue')
  refusesValue('{"bytesValue":"a b"}', 'bytesValue')
  refusesValue('{"arrayValue":[]}', 'arrayValue')
  refusesValue('{"arrayValue":{"values":{}}}', 'arrayValue')
  refusesValue('{"kvlistValue":{"values":7}}', 'attributes')
})

t.test('JSON may write a field in any way that protobuf has for it', async t => {
  const is = (members: string, expected: object) => {
    const { record } = [...readOtlp(jsonWith(members), 'json', context)][1]!
    t.match(record, expected, members)
  }

  is('"timeUnixNano":1795183402118000000', { timestamp: 1_795_183_402_118 })
  is('"timeUnixNano":null,"observedTimeUnixNano":"2000000"', { timestamp: 2 })
  is('"body":null,"attributes":null,"severityText":null,"traceId":null', { message: '{}' })
  is('"body":{"intValue":7}', { message: '7' })
  is('"body":{"intValue":"-7"}', { message: '-7' })
  is('"body":{"intValue":9223372036854775807}', { message: '9223372036854775807' })
  is('"body":{"doubleValue":"1.5e3"}', { message: '1500' })
  is('"body":{"doubleValue":12345678901234567890}', { message: '12345678901234567000' })
  is('"body":{"bytesValue":"_-8"}', { message: '/+8=' })
  is('"body":{"arrayValue":{}}', { message: '[]' })
  is('"body":{"kvlistValue":{}}', { message: '{}' })
  is('"body":{"stringValue":null,"intValue":7}', { message: '7' })
  is('"body":{"stringValue":"m"},"traceId":"no hex"', { attributes: ['trace_id', 'no hex'] })
})

t.test('text that is no UTF-8 is refused with its record, and with its place', async t => {
  const lone = jsonWith('"body":{"stringValue":"\\ud800"}')
  t.same(outcomes(lone, 'json'), ['a', ['utf8_invalid', undefined]])
  const raw = Buffer.from(jsonWith('"body":{"stringValue":"#"}').map(b => (b === 0x23 ? 0xff : b)))
  const [, refused] = [...readOtlp(raw, 'json', context)]
  t.match(refused!.problem, { code: 'utf8_invalid', extras: { position: { line: 1 } } })
})

t.test(
  'a body that is not JSON around its records is refused as a whole, with the place',
  async t => {
    const refuses = (json: string, code: string, column?: number) =>
      t.throws(
        () => outcomes(Buffer.from(json), 'json'),
        { code, ...(column === undefined ? {} : { extras: { position: { line: 1, column } } }) },
        json,
      )

    refuses('', 'body_empty')
    refuses(' \n', 'body_empty')
    refuses('resourceLogs', 'json_invalid', 1)
    refuses('{', 'json_invalid', 2)
    refuses('{"resourceLogs"', 'json_invalid', 16)
    refuses('{"resourceLogs" 7}', 'json_invalid', 17)
    refuses('{"resourceLogs":[}', 'json_invalid', 18)
    refuses('{"resourceLogs":[{},]}', 'json_invalid', 21)
    refuses('{"resourceLogs":[{} {}]}', 'json_invalid', 21)
    refuses('{"resourceLogs":[{"scopeLogs":[{"logRecords":[{},{', 'json_invalid', 51)
    refuses('{"resourceLogs":[{"scopeLogs":[{"logRecords":[{},{}', 'json_invalid', 52)
    refuses('{"resourceLogs":[]} x', 'json_invalid', 21)
    refuses('{"resourceLogs":[]}{}', 'json_invalid', 20)
    refuses('{resourceLogs:[]}', 'json_invalid', 2)
    refuses('{7:[]}', 'json_invalid', 2)
    refuses('{"a":nul}', 'json_invalid')
    refuses('{"a":}', 'json_invalid')
  },
)

t.test('a body of another shape is refused as a whole, by its field', async t => {
  const refuses = (json: string, field: string) =>
    t.throws(
      () => outcomes(Buffer.from(json), 'json'),
      { code: 'field_invalid', extras: { field } },
      json,
    )

  refuses('[]', 'body')
  refuses('"text"', 'body')
  refuses('{"resourceLogs":{}}', 'resourceLogs')
  refuses('{"resourceLogs":[7]}', 'resourceLogs')
  refuses('{"resourceLogs":[{"resource":[]}]}', 'resource')
  refuses('{"resourceLogs":[{"resource":{"attributes":7}}]}', 'attributes')
  refuses('{"resourceLogs":[{"scopeLogs":7}]}', 'scopeLogs')
  refuses('{"resourceLogs":[{"scopeLogs":["a"]}]}', 'scopeLogs')
  refuses('{"resourceLogs":[{"scopeLogs":[{"scope":{"name":7}}]}]}', 'name')
  refuses('{"resourceLogs":[{"scopeLogs":[{"logRecords":{}}]}]}', 'logRecords')
})

t.test('whatever comes is read or refused, and never breaks', async () => {
  const readsOrRefuses = (body: Buffer, encoding: OtlpEncoding) => {
    try {
      outcomes(body, encoding)
    } catch (error) {
      assert.ok(error instanceof ProblemError, String(error))
    }
  }
  const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))
  const changes = fc.array(change, { minLength: 1, maxLength: 3 })
  forAll(longRuns(1_000), anyRequest, changes, fc.nat(), (request, changed, cut) => {
    for (const encoding of ['json', 'protobuf'] as const) {
      const body = encodings[encoding](request)
      for (const [offset, byte] of changed) if (body.length > 0) body[offset % body.length] = byte
      readsOrRefuses(body, encoding)
      readsOrRefuses(body.subarray(0, cut % (body.length + 1)), encoding)
    }
  })
})

t.test(
  'a resource or a scope larger than an event may be is refused, with its request',
  async t => {
    const { eventBytesMax } = context
    const part = (bytes: number) => 'x'.repeat(bytes)
    const attributes = (bytes: number) =>
      Array.from({ length: 10 }, (_, i) => [`a${i}`, text(part(bytes / 10))] as const)
    for (const [encoding, encode] of Object.entries(encodings)) {
      const read = (bytes: number) =>
        outcomes(encode(requestOf([good], attributes(bytes))), encoding as OtlpEncoding)
      t.same(read(eventBytesMax - 10_000), ['good'], encoding)
      t.throws(() => read(eventBytesMax), { code: 'body_too_large' }, encoding)
      const scope = { name: 'n', attributes: attributes(eventBytesMax) }
      const request = [{ resource: [], scopes: [{ scope, logs: [good] }] }]
      const ofScope = () => outcomes(encode(request), encoding as OtlpEncoding)
      t.throws(ofScope, { code: 'body_too_large' }, encoding)
    }
    const attribute = delimited(1, delimited(15, Buffer.alloc(eventBytesMax / 2)))
    const inParts = message(1, [message(1, [attribute]), message(1, [attribute, attribute])])
    t.throws(() => outcomes(inParts, 'protobuf'), { code: 'body_too_large' }, 'in several parts')
    const name = Buffer.from(`{"${part(eventBytesMax)}":1,"resourceLogs":[]}`)
    t.throws(() => outcomes(name, 'json'), { code: 'body_too_large' }, 'a name')
  },
)

t.test('messages without records take no memory', async t => {
  const program = `
    import { readOtlp } from ${JSON.stringify(new URL('../../../src/ingest/otlp/read-otlp.ts', import.meta.url))}
    const empty = Buffer.alloc(4 * 1024 * 1024, Buffer.from([0x12, 0])) // Scopes, two bytes each.
    const head = Buffer.from([0x0a, 0x80, 0x80, 0x80, 0x02])
    for (const body of [Buffer.concat([head, empty]), Buffer.alloc(empty.length, Buffer.from([0x0a, 0]))]) {
      let count = 0
      for (const _ of readOtlp(body, 'protobuf', { receivedAt: 1, eventBytesMax: 1_000_000 })) count++
      console.log(count)
    }`
  const flags = ['--max-old-space-size=32', '--input-type=module', '-e', program]
  t.equal(execFileSync(process.execPath, flags, { encoding: 'utf8' }), '0\n0\n')
})
