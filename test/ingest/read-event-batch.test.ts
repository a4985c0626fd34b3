import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseEvent } from '../../src/ingest/json.ts'
import { normalise } from '../../src/ingest/normalise.ts'
import { type EventBatchContext, readEventBatch } from '../../src/ingest/read-event-batch.ts'
import { anyCodePoint } from '../any-code-point.ts'
import { forAll } from '../for-all.ts'

const context: EventBatchContext = {
  receivedAt: 1_700_000_000_000,
  timestampField: undefined,
  eventBytesMax: 1_000_000,
}

const messages = (body: string) =>
  [...readEventBatch(Buffer.from(body), context)].map(({ record }) => record?.message)

t.test('all forms of many events are read', async t => {
  const reads = (body: string, ...expected: string[]) =>
    t.strictSame(messages(body), expected, JSON.stringify(body))

  const a = '{"message":"a"}'
  const b = '{"message":"b"}'
  reads(`[${a},${b}]`, 'a', 'b')
  reads(` [\n  ${a} ,\r\n\t${b}\n]\n`, 'a', 'b')
  reads(`[${a}][${b}]`, 'a', 'b')
  reads(`[${a}]\n[]\n[${b}]\n`, 'a', 'b')
  reads(`[${a}]\n${b}`, 'a', 'b')
  reads(`${a}\n${b}\n`, 'a', 'b')
  reads(`${a}\n${b}`, 'a', 'b')
  reads(`${a}\r\n\r\n\n  \n${b}\r\n`, 'a', 'b')
  reads(`${a}${b}`, 'a', 'b')
  reads(`${a} ${b}`, 'a', 'b')
  reads(`${a}\t\t${b}${a}\n${b}`, 'a', 'b', 'a', 'b')
  reads('{\n  "message": "a"\n}\n{\n  "message": "b"\n}\n', 'a', 'b')
  reads('{\n"message":\n{\n"x":\n[\n{}\n,\n[\n1\n]\n]\n}\n}\n', '{"x":[{},[1]]}')
  reads(`${a}\n{\n  "message":\n  "b"\n}\n${a}`, 'a', 'b', 'a')
  reads(`\ufeff${a}\n${b}`, 'a', 'b')
  reads(`\ufeff[${a}]`, 'a')
  reads('{"message":"größe 🎉"}\n{"message":"b"}', 'größe 🎉', 'b')
  reads('{"message":"}{][,\\"\\\\"}{"message":"\\\\"}', '}{][,"\\', '\\')
  reads('{}', '{}')
})

t.test('an event need not be an object', async t => {
  const reads = (body: string, ...expected: string[]) =>
    t.strictSame(messages(body), expected, JSON.stringify(body))

  reads('[1,"two",null,[3],true,-4.5e6]', '1', 'two', 'null', '[3]', 'true', '-4500000')
  reads('1\n"two"\nnull\n', '1', 'two', 'null')
  reads('1 "two"null', '1', 'two', 'null')
  reads('"a""b"{"message":"c"}', 'a', 'b', 'c')
  reads('{"message":"a"}\n[1,2]\n', 'a', '[1,2]')
  reads('9007199254740993\n', '9007199254740993')
})

t.test('an empty array has no events and no problems', async t => {
  t.strictSame(messages('[]'), [])
  t.strictSame(messages(' [ ] \n[]'), [])
})

t.test('a body without anything is refused', async t => {
  for (const body of ['', ' \r\n\t', '\ufeff\n']) {
    t.throws(() => messages(body), { code: 'body_empty' }, JSON.stringify(body))
  }
})

t.test('a body without one event that can be read is refused as a whole', async t => {
  const refuses = (body: string | Buffer, line: number, rejected: number) =>
    t.throws(
      () => [...readEventBatch(Buffer.from(body), context)],
      {
        code: 'events_unreadable',
        status: 400,
        extras: { position: { line }, members: { rejected } },
      },
      JSON.stringify(String(body)).slice(0, 40),
    )

  refuses('{', 1, 1)
  refuses('\n\n  oops\n', 3, 1)
  refuses('[oops', 1, 1)
  refuses('[oops]', 1, 1)
  refuses('}', 1, 1)
  refuses('this is\nplain text\n', 1, 2)
  refuses('2023-01-01 12:00:00 INFO 1 {x}\n2023-01-01 12:00:01 INFO 2\n', 1, 2)
  refuses(Buffer.from([0xff, 0xfe, 0x00]), 1, 1)
  refuses(Buffer.alloc(100), 1, 1)
})

t.test('an object that only holds logs holds events', async t => {
  const read = (text: string) =>
    [...readEventBatch(Buffer.from(text), context)].map(({ record, problem }) =>
      problem === undefined ? record.message : [problem.code, problem.extras.position?.offset],
    )
  const events = '{"msg":"a"},{"msg":"b"}'

  t.same(read(`{"logs":[${events}]}`), ['a', 'b'])
  t.same(read(`\ufeff\n{ "logs" :\n[ ${events} ]\t}\n`), ['a', 'b'])
  t.same(read('{"logs":[]}'), [])
  t.same(read(`{"logs":["x",${events}]}`), ['x', 'a', 'b'])
  t.same(read('{"logs":[{"msg":"a"},{"x":tru},{"msg":"b"}]}'), [
    ...['a', ['json_invalid', 29], 'b'],
  ])
  for (const one of [
    ...[
      '{"logs":{"a":1}}',
      '{"logs":[1],"x":1}',
      '{"x":1,"logs":[1]}',
      '{"Logs":[1]}',
      '{"logs":5}',
    ],
  ]) {
    t.same(read(one), [one], one)
  }
  t.same(read('{"logs":[1]}\n{"logs":[2]}'), ['{"logs":[1]}', '{"logs":[2]}'], 'two events')
  t.throws(() => read('{"logs":[1'), { code: 'events_unreadable' })
})

t.test('the timestamp field is read from each event', async t => {
  const body = Buffer.from('{"t":1}\n{"t":"x"}\n{}\n{"t":4}')
  const outcomes = [...readEventBatch(body, { ...context, timestampField: 't' })]
  t.strictSame(
    outcomes.map(({ record }) => record?.timestamp),
    [1000, context.receivedAt, context.receivedAt, 4000],
  )
})

const event = fc.dictionary(
  fc.string({ unit: anyCodePoint, maxLength: 5 }),
  fc.jsonValue({ stringUnit: anyCodePoint, maxDepth: 3 }),
  { maxKeys: 4 },
)
const space = fc.constantFrom(undefined, 1, '\t')

t.test('array, NDJSON, concatenated and indented form give what each event gives', async () => {
  forAll(
    { numRuns: 300 },
    fc.array(event, { minLength: 1, maxLength: 8 }),
    space,
    (events, indentation) => {
      const texts = events.map(one => JSON.stringify(one))
      const expected = texts.map((text, index) => {
        return { index, record: normalise(parseEvent(Buffer.from(text)), context) }
      })
      const indented = events.map(one => JSON.stringify(one, null, indentation))
      const bodies = [
        JSON.stringify(events, null, indentation),
        texts.join('\n'),
        `${texts.join('\r\n')}\r\n`,
        texts.join(''),
        indented.join('\n'),
        indented.join(''),
      ]
      for (const body of bodies) {
        assert.deepEqual([...readEventBatch(Buffer.from(body), context)], expected)
      }
    },
  )
})
