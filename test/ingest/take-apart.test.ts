import t from 'tap'
import { parseEvent } from '../../src/ingest/json.ts'
import { normalise } from '../../src/ingest/normalise.ts'
import { limits } from '../../src/limits.ts'
import type { LogRecord } from '../../src/record.ts'

const receivedAt = 1_700_000_000_000
const time = '2026-11-20T13:55:36.000Z'

const record = (event: unknown, timestampField?: string, parse?: 'json'): LogRecord =>
  normalise(parseEvent(Buffer.from(JSON.stringify(event))), { receivedAt, timestampField, parse })

/** What an event becomes, as an object. */
function taken(event: unknown, timestampField?: string) {
  const { attributes, ...rest } = record(event, timestampField, 'json')
  const pairs = Array.from({ length: attributes.length / 2 }, (_, i) => [
    attributes[2 * i],
    attributes[2 * i + 1],
  ])
  return { ...rest, attributes: Object.fromEntries(pairs) }
}

t.test('a message that is one JSON object is the event itself', async t => {
  const log = `${JSON.stringify({ level: 'WARN', msg: 'disk full', disk: { free: 0 }, id: 7 })}\n`
  t.strictSame(taken({ log, stream: 'stdout', kubernetes: { pod: 'web-1' } }), {
    timestamp: receivedAt,
    level: 'warn',
    message: 'disk full',
    attributes: { 'disk.free': '0', id: '7', stream: 'stdout', 'kubernetes.pod': 'web-1' },
  })
  for (const name of ['message', 'msg', 'MESSAGE', '@m', 'event', 'body', 'text']) {
    t.match(taken({ [name]: ' {"level":"error","log":"x"} ' }), { level: 'error', message: 'x' })
  }
  t.match(taken('{"msg":"x","a":1}'), { message: 'x', attributes: { a: '1' } }, 'a text alone')
  t.match(taken({ log: '{"b":9007199254740993,"1":0}' }), {
    message: '{"b":9007199254740993,"1":0}',
    attributes: { b: '9007199254740993', '1': '0' },
  })
})

t.test('time and level of the object go before those of the fields around it', async t => {
  const around = { level: 'debug', time: '2026-01-01T00:00:00Z' }
  const both = taken({ ...around, log: JSON.stringify({ level: 'error', time }) }, 'time')
  t.equal(both.timestamp, Date.parse(time))
  t.equal(both.level, 'error')
  t.strictSame(both.attributes, { 'outer.level': 'debug', 'outer.time': '2026-01-01T00:00:00Z' })

  const outer = taken({ ...around, error: 'x', log: '{"a":1}' }, 'time')
  t.equal(outer.timestamp, Date.parse(around.time))
  t.equal(outer.level, 'debug')
  t.strictSame(outer.attributes, { a: '1', error: 'x' })

  t.equal(taken({ level: 'debug', log: '{"error":"x"}' }).level, 'debug')
  t.equal(taken({ warn: 1, log: '{"error":"x"}' }).level, 'error')
  t.equal(taken({ warn: 1, log: '{"a":"x"}' }).level, 'warn')
})

t.test('a time that cannot be read says so, once', async t => {
  let unreadable = 0
  const onUnreadableTime = () => {
    unreadable++
  }
  const made = normalise(
    { log: '{"time":"soon","msg":"x"}', time },
    { receivedAt, timestampField: 'time', parse: 'json', onUnreadableTime },
  )
  t.equal(made.timestamp, receivedAt)
  t.ok(made.attributes.includes('timestamp_error'))
  t.equal(unreadable, 1)
})

t.test('a field around it that has a name of the object is kept under outer', async t => {
  const inner = { a: 1, n: { x: 1 }, 'outer.a': 'inner', environment: 'mine' }
  const event = { log: JSON.stringify(inner), a: 2, n: { x: 2, y: 3 }, environment: 'theirs' }
  t.strictSame(taken(event).attributes, {
    a: '1',
    'n.x': '1',
    'outer.a': 'inner',
    'payload.environment': 'mine',
    'outer.outer.a': '2',
    'outer.n.x': '2',
    'n.y': '3',
    'outer.payload.environment': 'theirs',
  })
})

t.test(
  'what is no text of one object stays as it came, and so does what would be too much',
  async t => {
    const wide = JSON.stringify(
      Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`a${i}`, i])),
    )
    const around = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`b${i}`, i]))
    const events = [
      ...['plain', '', '{', '{}x', '{"a":1} {"a":2}', '[{"a":1}]', '"{}"', '5', 'null', '{a:1}'],
      `{"a":"${'x'.repeat(limits.attributeValueBytesMax + 1)}"}`,
      `${'{"a":'.repeat(limits.eventDepthMax + 1)}1${'}'.repeat(limits.eventDepthMax + 1)}`,
    ].map(log => ({ log, level: 'warn' }))
    for (const event of [
      ...events,
      { log: wide, ...around },
      { message: { log: '{}' } },
      ['{}'],
      7,
    ]) {
      const title = JSON.stringify(event).slice(0, 60)
      t.strictSame(record(event, undefined, 'json'), record(event), title)
    }
  },
)

t.test('a text is taken apart once, and only when asked', async t => {
  const log = JSON.stringify({ log: '{"msg":"x"}' })
  t.equal(taken({ log }).message, '{"msg":"x"}')
  t.equal(record({ log }).message, log)
})
