import assert from 'node:assert/strict'
import t from 'tap'
import { type OtlpEncoding, readOtlp } from '../../../src/ingest/otlp/read-otlp.ts'
import type { LogRecord } from '../../../src/record.ts'
import { forAll } from '../../for-all.ts'
import {
  anyRequest,
  type Log,
  type Order,
  type Request,
  requestOf,
  type Scope,
  text,
  toJson,
  toProtobuf,
  type Value,
} from './messages.ts'

const receivedAt = 1_700_000_000_000
const context = { receivedAt, eventBytesMax: 100_000 }

const read = (body: Buffer, encoding: OtlpEncoding) =>
  [...readOtlp(body, encoding, context)].map(({ record, problem }) => record ?? problem!.code)

const orders: readonly Order[] = ['usual', 'reversed']

/** What becomes of `request`, which must not depend on the encoding, nor on the order of fields. */
function recordsOf(request: Request) {
  const records = read(toJson(request), 'json')
  for (const order of orders) {
    assert.deepEqual(read(toJson(request, order), 'json'), records)
    assert.deepEqual(read(toProtobuf(request, order), 'protobuf'), records)
  }
  return records
}

/** The record that `log` becomes, with its attributes as an object without a prototype. */
function recordOf(log: Log, resource: Record<string, Value> = {}, scope?: Scope) {
  const about = scope === undefined ? {} : { scope }
  const [record] = recordsOf([
    { resource: Object.entries(resource), scopes: [{ ...about, logs: [log] }] },
  ])
  if (typeof record !== 'object') throw new Error(`refused: ${record}`)
  const attributes: Record<string, string> = Object.create(null)
  record.attributes.forEach((name, index) => {
    if (index % 2 === 0) attributes[name] = record.attributes[index + 1]!
  })
  return { ...record, attributes }
}

const millisecond = 1_000_000n

t.test('the time is that of the event, else of the observer, else of receipt', async t => {
  const is = (log: Log, expected: number) => t.equal(recordOf(log).timestamp, expected)

  is({ time: 5n * millisecond, observedTime: 6n * millisecond }, 5)
  is({ time: 5n * millisecond + 999_999n }, 5)
  is({ time: 1_795_183_402_118_999_999n }, 1_795_183_402_118)
  is({ time: 0n, observedTime: 6n * millisecond }, 6)
  is({ observedTime: 6n * millisecond }, 6)
  is({ time: 0n, observedTime: 0n }, receivedAt)
  is({}, receivedAt)
  is({ time: (1n << 64n) - 1n }, 18_446_744_073_709)
})

t.test('the level is the known word, else what the number says, else info', async t => {
  const is = (severityText: string, severityNumber: number, level: string, kept: object = {}) => {
    const record = recordOf({ severityText, severityNumber })
    t.equal(record.level, level, `${severityText} ${severityNumber}`)
    t.same(record.attributes, kept, `${severityText} ${severityNumber}`)
  }

  is('ERROR', 17, 'error')
  is('Warn', 0, 'warn', {})
  is(' warning ', 13, 'warning')
  is('err', 17, 'err')
  is('notice', 10, 'notice', { severity_number: '10' })
  is('error', 9, 'error', { severity_number: '9' })
  is('Information', 9, 'info', { severity_text: 'Information' })
  is('SEVERE', 0, 'error', { severity_text: 'SEVERE' })
  is('WARN+2', 15, 'warn', { severity_text: 'WARN+2', severity_number: '15' })
  is('gold', 0, 'info', { severity_text: 'gold' })
  is('gold', 21, 'fatal', { severity_text: 'gold' })
  is('40', 0, 'warn')
  is('', 0, 'info')
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  for (let number = 1; number <= 24; number += 1) {
    const isFirst = number % 4 === 1
    const kept = isFirst ? {} : { severity_number: String(number) }
    is('', number, levels[Math.floor((number - 1) / 4)]!, kept)
  }
  is('', 25, 'info', { severity_number: '25' })
  is('', -4, 'info', { severity_number: '-4' })
})

t.test('the message is the body, as JSON if it is no text', async t => {
  const is = (body: Value | undefined, message: string, log: Log = {}) =>
    t.equal(recordOf({ ...(body && { body }), ...log }).message, message)

  is(text('one\ntwo ü'), 'one\ntwo ü')
  is(text(''), '')
  is({ truth: false }, 'false')
  is({ integer: 0n }, '0')
  is({ integer: 9_223_372_036_854_775_807n }, '9223372036854775807')
  is({ integer: -9_223_372_036_854_775_808n }, '-9223372036854775808')
  is({ double: 0.1 }, '0.1')
  is({ double: Number.NaN }, 'NaN')
  is({ double: -Infinity }, '-Infinity')
  is({ bytes: Buffer.from('ab\xff', 'latin1') }, 'YWL/')
  is({ list: [text('a'), { integer: 9_007_199_254_740_993n }] }, '["a",9007199254740993]')
  is(
    {
      fields: [
        ['a', { list: [] }],
        ['__proto__', { fields: [] }],
      ],
    },
    '{"a":[],"__proto__":{}}',
  )
  is({ list: [{ empty: true }, { double: Infinity }] }, '[null,"Infinity"]')
})

t.test('without a body, the message is the name of the event, or the attributes', async t => {
  const attributes = [['order', { integer: 7n }]] as const
  const named = recordOf({ eventName: 'shop.paid', attributes })
  t.equal(named.message, 'shop.paid')
  t.same(named.attributes, { order: '7', event_name: 'shop.paid' })
  t.equal(recordOf({ attributes }).message, '{"order":7}')
  t.equal(recordOf({ attributes, body: { empty: true } }).message, '{"order":7}')
  t.equal(recordOf({}).message, '{}')
})

t.test('attributes are flat, of any type, and nothing in their names is special', async t => {
  const { attributes } = recordOf({
    body: text('m'),
    attributes: [
      [
        'http',
        {
          fields: [
            ['status', { integer: 500n }],
            ['a', { fields: [['b', text('c')]] }],
          ],
        },
      ],
      ['tags', { list: [text('x'), { fields: [['y', { truth: true }]] }] }],
      ['none', { empty: true }],
      ['big', { integer: 9_007_199_254_740_993n }],
      ['bytes', { bytes: Buffer.from('hi') }],
      ['__proto__', text('p')],
      ['', text('nameless')],
      ['message', text('not the message')],
      ['log_level', text('not the level')],
    ],
  })
  t.strictSame(Object.entries(attributes), [
    ['http.status', '500'],
    ['http.a.b', 'c'],
    ['tags', '["x",{"y":true}]'],
    ['none', 'null'],
    ['big', '9007199254740993'],
    ['bytes', 'aGk='],
    ['__proto__', 'p'],
    ['', 'nameless'],
    ['payload.message', 'not the message'],
    ['payload.log_level', 'not the level'],
  ])
})

t.test('scope and resource give the attributes that the record does not have', async t => {
  const { attributes } = recordOf(
    {
      body: text('m'),
      attributes: [
        ['host', text('own')],
        ['a', { fields: [['b', text('own')]] }],
      ],
    },
    {
      host: text('of the resource'),
      'a.b': text('of the resource'),
      region: text('of the resource'),
      pod: text('of the resource'),
    },
    { name: 'lib', version: '1.2', attributes: [['pod', text('of the scope')]] },
  )
  t.same(attributes, {
    host: 'own',
    'a.b': 'own',
    region: 'of the resource',
    pod: 'of the scope',
    'otel.scope.name': 'lib',
    'otel.scope.version': '1.2',
  })
})

t.test("the sender's names of service and environment never take the token's place", async t => {
  const resource = { 'service.name': text('theirs'), environment: text('their own') }
  t.same(recordOf({ body: text('m') }, resource).attributes, {
    'payload.service.name': 'theirs',
    'payload.environment': 'their own',
  })
  const service = { fields: [['name', text('of the record')]] } as const
  t.same(recordOf({ body: text('m'), attributes: [['service', service]] }, resource).attributes, {
    'payload.service.name': 'of the record',
    'payload.environment': 'their own',
  })
})

t.test('ids are lower-case hex; one of zeros is none', async t => {
  const traceId = '5b8efff798038103d269b633813fc60c'
  const { attributes } = recordOf({ body: text('m'), traceId, spanId: 'eee19b7ec3c1b174' })
  t.same(attributes, { trace_id: traceId, span_id: 'eee19b7ec3c1b174' })
  const none = recordOf({ traceId: '0'.repeat(32), spanId: '0'.repeat(16) })
  t.same(none.attributes, {})
  const upper = Buffer.from(toJson(requestOf([{ traceId: traceId.toUpperCase() }])))
  t.match(read(upper, 'json')[0], { attributes: ['trace_id', traceId] })
  const lost = recordOf({ dropped: 3 })
  t.same(lost.attributes, { 'otel.dropped_attributes_count': '3' })
})

t.test('each record has the scope and the resource that it stands under', async t => {
  const logs = [{ body: text('m') }]
  const records = recordsOf([
    {
      resource: [['r', text('1')]],
      scopes: [{ scope: { name: 'a' }, logs }, { scope: { name: 'b' }, logs: [] }, { logs }],
    },
    { scopes: [{ scope: { name: 'c' }, logs }] },
    { resource: [['r', text('2')]], scopes: [] },
    { resource: [['r', text('3')]], scopes: [{ logs }] },
  ])
  t.strictSame(
    records.map(record => (record as LogRecord).attributes),
    [
      ['r', '1', 'otel.scope.name', 'a'],
      ['r', '1'],
      ['otel.scope.name', 'c'],
      ['r', '3'],
    ],
  )
})

t.test('a request without records has none', async t => {
  for (const json of ['{}', ' {"resourceLogs":[]} ', '{"resourceLogs":null}', '\ufeff{}']) {
    t.strictSame(read(Buffer.from(json), 'json'), [], json)
  }
  t.strictSame(read(Buffer.alloc(0), 'protobuf'), [])
  t.strictSame(recordsOf([{ resource: [['a', text('b')]], scopes: [{ logs: [] }] }]), [])
})

t.test('any request gives the same records in JSON and in protobuf, in any order', async () => {
  const outcome = (body: Buffer, encoding: OtlpEncoding) => {
    try {
      return read(body, encoding)
    } catch (error) {
      return (error as { code: string }).code
    }
  }
  forAll({ numRuns: 500 }, anyRequest, request => {
    const expected = outcome(toJson(request), 'json')
    for (const order of orders) {
      assert.deepEqual(outcome(toProtobuf(request, order), 'protobuf'), expected)
      assert.deepEqual(outcome(toJson(request, order), 'json'), expected)
    }
  })
})
