import fc from 'fast-check'
import t from 'tap'
import { makeRandom } from '../../../bench/random.ts'
import { limits } from '../../../src/limits.ts'
import { forAll } from '../../for-all.ts'
import { mutate } from '../../fuzz/mutate.ts'
import { longRuns } from '../../long-runs.ts'
import { checkBody, receivedAt, waysOf as waysOfBody } from '../direct/both-ways.ts'
import { pushRequest, type SentEntry, type SentStream, snappyOf } from './loki-messages.ts'

const eventBytesMax = 400 * 1024
const context = { receivedAt, timestampField: undefined, eventBytesMax }
const time = 1_795_183_402_118_000_000n

function waysOf(stream: SentStream, parse?: 'json') {
  return waysOfBody(snappyOf(pushRequest([stream])), { ...context, parse }, 'loki-protobuf')
}

const usual: SentEntry = { time, line: 'a line', metadata: { trace_id: 'x', user: 'größe' } }

t.test('usual entries are read directly', async t => {
  const labels = [
    '{}',
    '{app="shop"}',
    '{app="shop", level="info"}',
    '{a="1",b="{}, 😀",c.d:e-f="",}',
  ]
  for (const each of labels) t.same(waysOf({ labels: each, entries: [usual] }), ['direct'], each)
  const entries: SentEntry[] = [
    { time, line: '' },
    { time: time + 1n, line: 'größe 日本 😀' },
    { time: time + 999_999n, line: '{"a":1}', metadata: { message: 'x', msg: 'y', body: '' } },
    { time: 1_000_000_000n, line: 'x'.repeat(200), metadata: { error: 'x', Level: 'WARN+2' } },
    { time, line: 'x', metadata: { level: 'error', severity: '3', status: 'warn' } },
    { time, line: 'x', metadata: { 'service.name': 'mine', environment: 'mine', log_level: 'x' } },
    { time, line: 'x', metadata: { __proto__: 'p', constructor: 'c', '': 'empty' } },
    { time: 2n ** 63n - 1n, line: 'x' },
    { time, line: '  text', metadata: { 'ä"\\': 'ö"\\\n' } },
  ]
  const ways = waysOf({ labels: '{app="shop"}', entries })
  t.same(
    ways,
    entries.map(() => 'direct'),
  )
  t.same(waysOf({ labels: '{}', entries: [usual] }, 'json'), ['direct'])
})

t.test('others go the plain way, and none is read otherwise', async t => {
  const labels = [
    '{a="\\n"}',
    '{a=`b`}',
    '{ a="b" }',
    '{a="1",a="2"}',
    '{trace_id="1"}',
    '{detected_level="warn"}',
    '{1="a"}',
  ]
  for (const each of labels) t.same(waysOf({ labels: each, entries: [usual] }), ['plain'], each)
  const many = Object.fromEntries(
    Array.from({ length: limits.eventAttributesMax + 1 }, (_, i) => [`a${i}`, '']),
  )
  const entries: SentEntry[] = [
    { time: 0n, line: 'x' },
    { time: 1n, line: 'x' },
    { time: -1n, line: 'x' },
    { time: time + 1n, line: 'x', metadata: { timestamp_ns: '1' } },
    { time, line: 'x', metadata: { b: '1', 2: '2' } },
    { time, line: 'x', metadata: { detected_level: 'warn' } },
    { time, line: 'x', metadata: { app: 'twice' } },
    { time, line: 'x', metadata: { a: 'x'.repeat(limits.attributeValueBytesMax + 1) } },
    { time, line: 'x', metadata: { ['n'.repeat(300)]: '' } },
    { time, line: 'x', metadata: many },
    { time, line: 'x'.repeat(eventBytesMax) },
  ]
  for (const entry of entries) {
    const [way] = waysOf({ labels: '{app="shop"}', entries: [entry] })
    t.ok(way && way !== 'direct', JSON.stringify(entry.metadata ?? String(entry.time)).slice(0, 80))
  }
  const json = { labels: '{}', entries: [{ time, line: '{"level":"warn","message":"inner"}' }] }
  t.same(waysOf(json, 'json'), ['plain'])
})

t.test('what cannot be read is refused as the plain way does', async t => {
  const sent = {
    time: time + 999_999_999n - 118_000_000n,
    line: 'LINE',
    metadata: { NAME: 'VALUE' },
  }
  const message = Buffer.from(pushRequest([{ labels: '{a="LABEL"}', entries: [usual, sent] }]))
  const nanoseconds = Buffer.from([0xff, 0x93, 0xeb, 0xdc, 0x03])
  const more = Buffer.from([0xff, 0x93, 0xeb, 0xdc, 0x0f])
  const bad = Buffer.from([0xff])
  const changes = [
    ...['LINE', 'NAME', 'VALUE', 'LABEL'].map(text => [Buffer.from(text), bad] as const),
    [nanoseconds, more] as const,
  ]
  for (const [found, put] of changes) {
    const changed = Buffer.from(message)
    const at = changed.indexOf(found)
    t.ok(at > 0, String(found))
    put.copy(changed, at)
    checkBody(snappyOf(changed), context, 'loki-protobuf')
  }
})

const names = 'app level detected_level severity error message timestamp_ns service.name 7 ä'.split(
  ' ',
)
const name = fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'grapheme', maxLength: 4 }))
const value = fc.oneof(
  fc.constantFrom('', 'warn', '30', '3', 'x'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
)
const line = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.json({ maxDepth: 2 }))
const entry: fc.Arbitrary<SentEntry> = fc.record({
  time: fc.oneof(
    fc.bigInt({ min: -1n, max: 3n }),
    fc.bigInt({ min: time, max: time + 2_000_000n }),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  ),
  line,
  metadata: fc.dictionary(name, value, { maxKeys: 4 }),
})
const labels = fc
  .array(fc.tuple(fc.constantFrom('app', 'level', 'a.b', 'error', '7', 'detected_level'), value), {
    maxLength: 3,
  })
  .map(pairs => `{${pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')}}`)
const streams = fc.array(fc.record({ labels, entries: fc.array(entry, { maxLength: 4 }) }), {
  maxLength: 3,
})

t.test(
  'what is read directly is what the plain way makes, of whole bodies and torn ones',
  async t => {
    const parse = fc.constantFrom('json' as const, undefined)
    forAll(longRuns(1_000), streams, parse, fc.nat(), (streams, parse, seed) => {
      const message = Buffer.from(pushRequest(streams))
      checkBody(snappyOf(message), { ...context, parse }, 'loki-protobuf')
      const torn = mutate(message, makeRandom(seed), ['\x0a', '\x12\x80', '\xff\x0f', '{a="', '\0'])
      checkBody(snappyOf(torn), { ...context, parse }, 'loki-protobuf')
    })
    t.pass()
  },
)
