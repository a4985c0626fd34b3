import t from 'tap'
import { hourMs } from '../../src/time-units.ts'
import { serviceOfProcess } from './shared-service.ts'

const path = '/api/v1/query/logs/histogram'

interface Bucket {
  start: number
  count: number
  levels: Record<string, number>
}

const service = await serviceOfProcess('histogram')

const token = await service.makeToken('checkout', 'prod')
const times = [0, 1, 59_999, 60_000, 185_000, 3_599_999]
const events = times.map((at, i) => ({ at, level: i % 2 ? 'error' : 'info', message: `m${i}` }))
// Written with their zone: whole numbers so small would be taken for seconds.
const sent = events.map(({ at, ...event }) => ({ ...event, time: new Date(at) }))
await service.send(token, sent, 'time')

const ask = (more: object) =>
  service.call('POST', path, {
    body: { query: 'logs', startTime: 0, endTime: hourMs - 1, ...more },
  })

t.test('without a width, or with 0, a round one is chosen', async t => {
  for (const more of [{}, { bucketMs: 0 }]) {
    const { status, body } = await ask(more)
    t.equal(status, 200)
    t.equal(body.bucketMs, 60_000)
    t.equal(body.buckets.length, 60, 'empty buckets are there too')
    t.same(body.buckets[0], { start: 0, count: 3, levels: { info: 2, error: 1 } })
    t.same(body.buckets[1], { start: 60_000, count: 1, levels: { error: 1 } })
    t.same(body.buckets[2], { start: 120_000, count: 0, levels: {} })
    t.type(body.stats.elapsedMs, 'number')
    t.same(
      body.buckets.map(({ start }: Bucket) => start),
      Array.from({ length: 60 }, (_, i) => i * 60_000),
    )
  }
})

t.test('buckets of a given width begin at its multiples, wherever the range begins', async t => {
  const { body } = await ask({ startTime: -50_000, endTime: 185_000, bucketMs: 45_000 })
  t.equal(body.bucketMs, 45_000)
  t.same(
    body.buckets.map(({ start, count }: Bucket) => [start, count]),
    [
      [-90_000, 0],
      [-45_000, 0],
      [0, 2],
      [45_000, 2],
      [90_000, 0],
      [135_000, 0],
      [180_000, 1],
    ],
  )
  t.same((await ask({ startTime: 1, endTime: 1, bucketMs: 1_000 })).body.buckets, [
    { start: 0, count: 1, levels: { error: 1 } },
  ])
})

t.test('only what the query selects is counted', async t => {
  const sums = async (query: string, expected: number) => {
    const { body } = await ask({ query, bucketMs: hourMs })
    t.same(
      body.buckets.map(({ count }: Bucket) => count),
      [expected],
      query,
    )
  }
  await sums('logs{log_level="error"}', 3)
  await sums('logs{service.name="checkout"} |= "m4"', 1)
  await sums('count(logs{environment="prod"})', 6)
  await sums('logs{service.name="search"}', 0)
})

t.test('what cannot be answered is 400 and names the field', async t => {
  const refuses = async (more: object, code: string, field: string) => {
    const { status, body } = await ask(more)
    t.same([status, body.code, body.field], [400, code, field], JSON.stringify(more))
  }
  await refuses({ bucketMs: 359, endTime: hourMs }, 'field_invalid', 'bucketMs')
  await refuses({ bucketMs: 1, startTime: -8.64e15, endTime: 8.64e15 }, 'field_invalid', 'bucketMs')
  await refuses({ bucketMs: -1 }, 'field_invalid', 'bucketMs')
  await refuses({ bucketMs: 1.5 }, 'field_invalid', 'bucketMs')
  await refuses({ bucketMs: '1m' }, 'field_invalid', 'bucketMs')
  await refuses({ startTime: hourMs }, 'field_invalid', 'startTime')
  await refuses({ endTime: undefined }, 'field_invalid', 'endTime')
  await refuses({ query: undefined }, 'field_invalid', 'query')
  await refuses({ query: 'logs{' }, 'query_syntax', 'query')
})

t.test('as many buckets as there may be are answered', async t => {
  const { status, body } = await ask({ startTime: 5, endTime: 9_999 * 360 + 5, bucketMs: 360 })
  t.equal(status, 200)
  t.equal(body.buckets.length, 10_000)
})
