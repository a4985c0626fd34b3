import t from 'tap'
import type { AnswerRecord, SelectStats } from '../../../src/web/api/records.ts'
import { costText, isPartial } from '../../../src/web/logs/cost.ts'
import { byValue, chartedSeries, labelsText } from '../../../src/web/logs/group-values.ts'
import { fieldOf, fieldsOf, glanceOf, jsonOf } from '../../../src/web/logs/record-fields.ts'
import { linesMax, linesOf } from '../../../src/web/logs/row-lines.ts'

t.test('a wrapped text takes as many lines as its characters need', async t => {
  const f = (text: string, places: number, expected: number) =>
    t.equal(linesOf(text, places), expected, JSON.stringify(text))
  f('', 10, 1)
  f('0123456789', 10, 1)
  f('0123456789a', 10, 2)
  f('a\nb', 10, 2)
  f('a\n', 10, 2)
  f('0123456789a\nb', 10, 3)
  f('日本語日本語', 10, 2)
  f('x'.repeat(1_000_000), 10, linesMax)
  f('\n'.repeat(1_000_000), 10, linesMax)
})

const record: AnswerRecord = {
  id: 'r1',
  timestamp: 1,
  log_level: 'error',
  message: 'it broke',
  attributes: JSON.parse(
    '{"service.name":"s","environment":"e","host":"h","__proto__":"p","long":"x"}',
  ),
}

t.test('the fields of a record are read by their names in queries', async t => {
  const f = (field: string, expected: string) => t.equal(fieldOf(record, field), expected, field)
  f('log_level', 'error')
  f('message', 'it broke')
  f('host', 'h')
  f('__proto__', 'p')
  f('toString', '')
  f('absent', '')
  t.same(
    fieldsOf(record).map(({ name }) => name),
    ['message', 'log_level', '__proto__', 'environment', 'host', 'long', 'service.name'],
  )
  const numbered = { ...record, attributes: { item10: '', Zone: '', item2: '', area: '' } }
  t.same(
    fieldsOf(numbered).map(({ name }) => name),
    ['message', 'log_level', 'area', 'item2', 'item10', 'Zone'],
    'as people order them',
  )
  t.same(Object.keys(JSON.parse(jsonOf(record))), [
    ...['timestamp', 'log_level', 'message', 'attributes'],
  ])
})

t.test('behind the message stand short attributes that have no column', async t => {
  t.same(
    glanceOf(record, ['host']).map(([name]) => name),
    ['__proto__', 'long'],
  )
  const ids = {
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    request: '0b8f7e4c-25a1-4c3e-9f7e-1d2c3b4a5f60',
    pod: 'checkout-7d9f8b6c5d-x2x4z',
    order: '81723',
    host: 'node-12.internal',
    text: 'a message of some words',
    version: '2026.11.20-rc1',
  }
  t.same(
    glanceOf({ ...record, attributes: ids }, []).map(([name]) => name),
    ['order', 'host', 'text', 'version', 'trace_id', 'request'],
    'long ids last',
  )
  const long = { ...record, attributes: { a: 'x'.repeat(41), b: 'y' } }
  t.same(glanceOf(long, []), [['b', 'y']])
})

t.test('an answer says what it cost', async t => {
  const stats = { elapsedMs: 38, blocks: 61, blocksScanned: 2, bytesScanned: 2_048 } as SelectStats
  t.equal(costText(stats), '38 ms · 2 of 61 blocks read')
  t.equal(costText({ ...stats, blocks: 0 }), '38 ms · 2 KiB read')
  t.equal(isPartial({ ...stats, damagedBlocks: 0, damagedFrames: 0 }), false)
  t.equal(isPartial({ ...stats, damagedBlocks: 0, damagedFrames: 1 }), true)
})

t.test('series are put on the times of the buckets', async t => {
  const found = [{ labels: { a: 'x' }, points: [{ time: 20, value: 5 }] }]
  t.same(chartedSeries(found, { startTime: 10, endTime: 30, stepMs: 10 }), {
    times: [10, 20, 30],
    series: [{ name: 'x', values: [undefined, 5, undefined] }],
  })
  t.equal(labelsText({}), 'all')
  t.equal(labelsText({ a: 'x', b: '' }), 'x, ""')
  const rows = (['web10', 'web2', 'no number', 'web1', 'most'] as const).map((host, at) => {
    return { labels: { host }, value: [1, 1, Number.NaN, 1, Number.POSITIVE_INFINITY][at]! }
  })
  t.same(
    byValue(rows).map(({ labels }) => labels.host),
    ['most', 'web1', 'web2', 'web10', 'no number'],
    'the largest first, equal ones by name',
  )
})
