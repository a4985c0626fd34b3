import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { makeRandom } from '../../../bench/random.ts'
import { DirectReader } from '../../../src/ingest/direct/reader.ts'
import { directReaderFor } from '../../../src/ingest/direct/readers.ts'
import { limits } from '../../../src/limits.ts'
import { forAll } from '../../for-all.ts'
import { eventText, jsonWords, usualEventText } from '../../fuzz/json-texts.ts'
import { mutate } from '../../fuzz/mutate.ts'
import { longRuns, share } from '../../long-runs.ts'
import { checkBody, checkEvent, receivedAt } from './both-ways.ts'

const wayOf = (text: string, timestampField?: string) =>
  checkEvent(Buffer.from(text), new DirectReader(timestampField), timestampField)

t.test('usual events are read directly', async t => {
  const events = [
    '{"message":"hello","level":"info","user":"ada","n":5}',
    '{"level":30,"time":1795194549071,"pid":7,"hostname":"h","msg":"from pino"}',
    '{"severity":"ERROR","message":"from a cloud","labels":{"zone":"eu","pod":{"name":"x"}}}',
    '{"level":"gold","error":{"code":"E1","at":"disk"},"message":""}',
    '{"Level":"Information","Message":"from .NET","Exception":"","error":""}',
    '{"@t":"2026","@l":"Warning","@m":"from Serilog","err":{},"stack":[],"warn":0,"debug":[ 1 ]}',
    '{"PRIORITY":"3","MESSAGE":"from systemd","_PID":"1"}',
    '{"log":{"level":"error","logger":"x"},"message":"in the form of ECS"}',
    '{"log.level":"WARN","syslog.severity":7,"severity":3,"short_message":"x","level":35}',
    '{"LEVEL":"error","Level":"debug","log":"from Docker","stream":"stdout","status":"warn"}',
    '{"status":500,"event":"x","error":0.0000000000000000,"err":-0.25}',
    '{"body":{"a":1},"event":7,"text":"x","1":{"0":1}}',
    '{"b":1,"1":2}',
    '{"environment":{"name":"x"},"service.name":{"a":1},"log_level":{"b":2}}',
    '{"level":"  Warn ","message":"x","stack":false,"err":null}',
    '{"message":7}',
    '{"message":true,"msg":"an attribute"}',
    '{"message":[1,"a",null,[]],"tags":["a","b"],"none":[],"empty":{}}',
    '{"msg":"the message","x":1.5,"y":-3,"z":0,"w":0.000001,"v":-0.25}',
    '{"id":9007199254740993,"big":123456789012345678901234567890,"price":12.3400000000000001}',
    '{"no":"message","at":"all"}',
    '{ "no" : "message" ,\t"but" : [ 1 , " spaces " ] }',
    '{"no":"message","has":"\\"quotes\\"","and":"\\n"}',
    '{"message":"a\\tb\\\\c\\/d\\u00e9\\u20ac\\u0000","k":"\\u0041"}',
    '{"message":"größe 日本 😀","größe":"ä"}',
    '{"service.name":"mine","environment":"mine","log_level":"mine","message":"m"}',
    '{"service":{"name":"mine"},"http.status":200,"http":{"method":"GET"},"message":"m"}',
    '{"__proto__":"p","constructor":{"toString":1},"":"empty","message":"m"}',
    `{"message":"${'long '.repeat(100_000)}"}`,
    `${'{"a":'.repeat(8)}1${'}'.repeat(8)}`,
    '{}x',
  ]
  for (const event of events) {
    const expected = event === '{}x' ? 'plain' : 'direct'
    t.equal(wayOf(event), expected, event.slice(0, 100))
  }
})

t.test(
  'times are read directly wherever they stand, in the usual forms and the others',
  async t => {
    const usual = [
      '"2026-11-20T10:00:00Z"',
      '"2026-11-20T10:00:59.999Z"',
      '"2026-11-20T10:00:00.123456789Z"',
      '"2026-11-20 10:00:00.1Z"',
      '"2026-11-20T10:00:00+05:30"',
      '"1969-12-31T23:59:59.5Z"',
      '"2016-12-31T23:59:60Z"',
      '1795194549071',
      '179519454907',
      '1795194549.071',
      '1795194549071123456',
      '"1795194549071"',
      '-1',
      '"2026-11-20 10:00:00,123 +0000"',
      '"20/Nov/2026:13:55:36 +0000"',
      '"1970-01-01T00:00:00.000000001Z"',
      '"1969-12-31T23:59:59.999999999Z"',
      '1795194549.0715',
    ]
    for (const time of usual) t.equal(wayOf(`{"t":${time},"message":"m"}`, 't'), 'direct', time)
    const direct = new DirectReader('t')
    for (const minute of ['10:00', '10:00', '10:01', '11:01', '11:10']) {
      const event = Buffer.from(`{"t":"2026-11-20T${minute}:07.5Z","message":"m"}`)
      t.equal(checkEvent(event, direct, 't'), 'direct', minute)
    }
    t.equal(wayOf('{"a":{"t":1},"b":2}', 'a.t'), 'direct')
    t.equal(wayOf('{"a.t":1,"a":{"b":2}}', 'a.t'), 'direct')
    const plain = ['"2026-11-20T10:00:60Z"', '"soon"', 'null', 'true', '{}', '[]', '{"a":1}', '""']
    for (const time of plain) t.equal(wayOf(`{"t":${time},"message":"m"}`, 't'), 'plain', time)
    t.equal(wayOf('{"a.t":1,"a":{"t":2}}', 'a.t'), 'plain')
    const fine = '"t":"2026-11-20T10:00:00.0000001Z","message":"m"'
    t.equal(wayOf(`{"timestamp_ns":1,${fine}}`, 't'), 'plain')
    t.equal(wayOf(`{"timestamp_ns":1,${fine.replace('0000001', '1')}}`, 't'), 'direct')
  },
)

t.test('what the direct way is not made for goes the plain way', async t => {
  const events = [
    '{"a":1.0}',
    '{"a":1e3}',
    '{"a":-0}',
    '{"a":0.0000001}',
    '{"a":01}',
    '{"a":1.}',
    '{"a":-}',
    '{"a":"\\ud83d\\ude00"}',
    '{"a":"\\ud83d"}',
    '{"a":"\\x"}',
    '{"a":"\\u00g0"}',
    '{"a":"\n"}',
    '{"a":[{"b":1}]}',
    '{"a":["\\u0041"]}',
    '{"a\\n":1}',
    '{"error":{ },"msg":"m"}',
    '{"Message":{"a":1}}',
    '{"log":{"level":"\\u0069nfo"},"message":"m"}',
    `{${Array.from('aA', (l, i) => ['evel', 'EVEL', 'Evel', 'eVel', 'evEl'].map(r => `"${i ? 'L' : 'l'}${r}":"${l}"`)).join()},"msg":"m"}`,
    '{"a":1,"a":2}',
    '{"a.b":1,"a":{"b":2}}',
    '{"message":null}',
    '{"level":"\\u0069nfo","message":"m"}',
    '{"severity":"warn\\n","message":"m"}',
    '{"message":{"a":1}}',
    '{"no":"message","but":"\\u0041"}',
    `{"${'k'.repeat(300)}":1}`,
    `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
    `{"a":"${'x'.repeat(limits.attributeValueBytesMax + 1)}"}`,
    ...['{', '{"', '{"a', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":"', '{"a":[', '{"a":tru}'],
    ...['{"a":1]', '{,}', '{"a" 1}', '{"a":1 "b":2}', '{a:1}', '{"a":{}', '{"a":{"b":1}'],
  ]
  for (const event of events) t.equal(wayOf(event), 'plain', event.slice(0, 100))
  const many = Array.from({ length: limits.eventAttributesMax + 1 }, (_, i) => `"a${i}":1`)
  t.equal(wayOf(`{${many.join()}}`), 'plain')
  t.equal(
    checkEvent(Buffer.from([...Buffer.from('{"a":"'), 0xff, 0x22, 0x7d]), new DirectReader('')),
    'plain',
  )
})

const timestampFields = ['time', 'a.b', '', undefined]

t.test('a reader that has seen other events reads the next as the plain way does', async () => {
  let readDirectly = 0
  forAll(
    longRuns(3_000),
    fc.integer(),
    fc.constantFrom(...timestampFields),
    (seed, timestampField) => {
      const random = makeRandom(seed)
      const direct = new DirectReader(timestampField)
      for (let event = 0; event < 8; event++) {
        const whole = Buffer.from(random.below(4) > 0 ? usualEventText(random) : eventText(random))
        const body = random.below(4) > 0 ? whole : mutate(whole, random, jsonWords)
        if (body[0] !== 0x7b) continue
        if (checkEvent(body, direct, timestampField) === 'direct') readDirectly++
      }
    },
  )
  assert.ok(readDirectly > share(6_000), `only ${readDirectly} events were read directly`)
})

t.test(
  'bodies of many events become what each becomes for itself, and the same problems',
  async () => {
    forAll(
      longRuns(5_000),
      fc.integer(),
      fc.constantFrom(...timestampFields, 'level'),
      (seed, timestampField) => {
        const random = makeRandom(seed)
        const text = random.below(4) > 0 ? usualEventText : eventText
        const events = Array.from({ length: 1 + random.below(12) }, () => text(random))
        const isArray = random.below(2) === 0
        const body = Buffer.from(
          isArray ? `[${events.join()}]` : events.join(random.pick(['\n', ''])),
        )
        const sent = random.below(2) === 0 ? body : mutate(body, random, [...jsonWords, '}\n{'])
        checkBody(sent, {
          ...{ receivedAt, timestampField, eventBytesMax: random.pick([100, 10_000]) },
          parse: random.pick(['json', undefined] as const),
        })
      },
    )
  },
)

t.test(
  'names that hold data, in any number, do not fill the memory or break what is known',
  async t => {
    const direct = new DirectReader(undefined)
    for (let i = 0; i < 20_000; i++) {
      checkEvent(Buffer.from(`{"message":"m","key-${i}":{"x":1}}`), direct)
    }
    checkEvent(Buffer.from('{"message":"m","x":1}'), direct)
    t.equal(checkEvent(Buffer.from('{"message":"m","x":1}'), direct), 'direct')
  },
)

t.test('bytes that are no UTF-8 are not taken for the name that their text would be', async t => {
  const direct = new DirectReader(undefined)
  t.equal(checkEvent(Buffer.from('{"message":"m","\ufffd":1}'), direct), 'direct')
  t.equal(checkEvent(Buffer.from('{"message":"m","\xff":1}', 'latin1'), direct), 'plain')
})

t.test('only a message that may be an object is left to be taken apart', async t => {
  const way = (text: string) =>
    checkEvent(Buffer.from(text), new DirectReader(undefined, 'json'), undefined, 'json')
  const direct = ['"a line\\n"', '""', '" x{}"', '"[1]"', '{"a":1}', '7']
  for (const log of direct) t.equal(way(`{"log":${log},"a":"{}"}`), 'direct', log)
  const plain = ['"{}"', '" {\\"a\\":1}\\n"', '"\\n{}"', '"\\u007b}"', '"\u00a0{}"']
  for (const log of plain) t.equal(way(`{"log":${log}}`), 'plain', log)
  t.equal(way('{"no":"message","at":"all"}'), 'direct')
})

t.test('numbers of many digits are no levels', async t => {
  t.equal(wayOf('{"message":"m","level":50.00000000000000}'), 'direct')
  t.equal(wayOf('{"message":"m","severity":60.000000000000000000001}'), 'direct')
  t.equal(wayOf('{"message":"m","level":50}'), 'direct')
  t.equal(wayOf('{"message":"m","level":5}'), 'direct')
})

t.test('two fields that are the time by their paths go the plain way', async t => {
  const paths = [
    [
      'log_level.x',
      '{"log_level.x":"2026-01-01T00:00:00Z","log_level":{"x":"2027-01-01T00:00:00Z"}}',
    ],
    [
      'service.name.x',
      '{"service":{"name.x":"2026-01-01T00:00:00Z"},"service.name":{"x":"2027-01-01T00:00:00Z"}}',
    ],
  ] as const
  for (const [field, event] of paths) t.equal(wayOf(event, field), 'plain', field)
})

t.test('where most events cannot be read directly, it is hardly tried', async t => {
  const direct = new DirectReader(undefined)
  const odd = Buffer.from('{"message":"m","x":1.0}')
  for (let i = 0; i < 16; i++) direct.read(odd, 0, odd.length, true)
  const usual = Buffer.from('{"message":"m"}')
  const isRead = Array.from({ length: 40 }, () => {
    const end = direct.read(usual, 0, usual.length, true)
    return end >= 0
  })
  const first = isRead.indexOf(true)
  t.ok(first > 5 && first < 20, `the next event that is tried is the ${first}.`)
  t.ok(isRead.slice(first).every(Boolean), 'from then on all are')
})

t.test('a field that has a meaning of its own has no reader as the time', async t => {
  t.equal(directReaderFor('message'), undefined)
  t.equal(directReaderFor('level'), undefined)
  t.equal(directReaderFor('Log.Level'), undefined)
  t.equal(directReaderFor('short_message'), undefined)
  t.not(directReaderFor('time'), undefined)
  t.equal(directReaderFor('time'), directReaderFor('time'))
})
