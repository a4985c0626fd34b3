/** A benchmark that does not notice a wrong answer measures nothing. */

import t from 'tap'
import { prepareOver, timeQuery } from '../../bench/measure.ts'
import { Oracle } from '../../bench/oracle.ts'
import { queriesNamed } from '../../bench/query-list.ts'
import { defaultStartTime, makeRecords } from '../../bench/records.ts'
import type { BenchService, HistogramAnswer, QueryAnswer } from '../../bench/service.ts'
import { measureWarm, warmUpRuns } from '../../bench/warm.ts'
import { minuteMs } from '../../src/time-units.ts'

const count = 2_000
const oracle = new Oracle({ recordsMax: count, keepsMessages: false })
const records = [...oracle.watch(makeRecords({ seed: 5, count }))]
const range = { startTime: defaultStartTime, endTime: defaultStartTime + 60 * minuteMs - 1 }
const inRange = records
  .filter(({ timestamp }) => timestamp <= range.endTime)
  .sort((a, b) => a.timestamp - b.timestamp)
const errors = inRange.filter(({ level }) => level === 'error')

const answering = (answer: Partial<QueryAnswer & HistogramAnswer>) => {
  const asked: unknown[] = []
  const give = async (query: string, options: unknown) => {
    asked.push([query, options])
    return answer
  }
  return { asked, service: { query: give, histogram: give } as unknown as BenchService }
}

const prepared = (work: string) => prepareOver(queriesNamed([work])[0]!, oracle, range)

t.test('a right answer is timed', async t => {
  const { service, asked } = answering({
    count: errors.length,
    logs: errors.map(({ timestamp, message }) => ({ timestamp, message })),
  })
  t.type(await timeQuery(service, prepared('first 100 of one level, with the total')), 'number')
  t.same(asked, [['logs{log_level="error"}', { ...range, limit: 100 }]])
})

t.test('runs to warm up do not count, and last for a while', async t => {
  let asked = 0
  const startedAt = performance.now()
  const slowUntilWarm = async () => {
    asked++
    await new Promise(resolve => setTimeout(resolve, 100))
    return performance.now() - startedAt < 1_500 ? 1_000 : 1
  }
  t.equal(await measureWarm(slowUntilWarm, 3), 1)
  t.ok(asked >= warmUpRuns + 3, `asked ${asked} times`)
})

t.test('a wrong answer is refused', async t => {
  const refuses = (work: string, answer: Partial<QueryAnswer>, message: RegExp) =>
    t.rejects(timeQuery(answering(answer).service, prepared(work)), message, work)

  const logs = errors.map(({ timestamp, message }) => ({ timestamp, message }))
  const first = 'first 100 of one level, with the total'
  await refuses('count over everything', { count: inRange.length - 1, logs }, /count is/)
  await refuses(first, { count: errors.length, logs: logs.slice(1) }, /earliest/)
  await refuses(first, { count: errors.length, logs: logs.toReversed() }, /earliest/)
  const groups = [{ labels: { host: records[0]!.host }, count: inRange.length }]
  await refuses(
    'count by host',
    { count: inRange.length, logs: inRange.slice(0, 1), groups },
    /groups/,
  )
})

t.test('the latest records are asked for and expected, latest first', async t => {
  const last = prepared('last 100 of one level, with the total')
  const logs = errors.toReversed().map(({ timestamp, message }) => ({ timestamp, message }))
  const right = answering({ count: errors.length, logs })
  await timeQuery(right.service, last)
  t.same(right.asked, [['logs{log_level="error"}', { ...range, limit: 100, order: 'desc' }]])
  const wrong = answering({ count: errors.length, logs: logs.toReversed() })
  await t.rejects(timeQuery(wrong.service, last), /latest/)
})

t.test('a new trace id and a new word are asked for each time', async t => {
  const traced = prepared('exact trace id, a new one each time')
  const word = prepared('count of a word that is nowhere, a new one each time')
  const texts = new Set<string>()
  for (let turn = 0; turn < 8; turn++) {
    const { query, expected } = traced.next()
    const record = records.find(({ traceId }) => query === `count(logs{trace_id="${traceId}"})`)
    t.same(expected, { count: 1, timestamps: [record?.timestamp] })
    texts.add(query)
    const absent = word.next()
    t.match(absent.query, /^count\(logs \|= "[a-z]{10}"\)$/)
    t.same(absent.expected, { count: 0, timestamps: [] })
    texts.add(absent.query)
  }
  t.equal(texts.size, 16)
  await t.rejects(timeQuery(answering({ count: 1, logs: [] }).service, word), /count is 1/)
})

t.test('figures may differ by rounding alone', async t => {
  const percentile = prepared('95th percentile of a number by service')
  const figures = [...percentile.expected.figures!]
  const series = (change: (figure: number) => number) =>
    figures.map(([service, figure]) => ({
      metric: { 'service.name': service },
      values: [[range.endTime / 1000, String(change(figure))]],
    }))
  const asking = (answer: object) => {
    const service = { range: async () => answer } as unknown as BenchService
    return timeQuery(service, percentile)
  }
  t.type(await asking(series(figure => figure * (1 + 1e-12))), 'number')
  await t.rejects(asking(series(figure => figure * 1.001)), /figures differ/)
  await t.rejects(asking(series(figure => figure).slice(1)), /figures differ/)
})

t.test('a histogram must have all buckets, and in each the right levels', async t => {
  const buckets = Array.from({ length: 60 }, (_, minute) => {
    const start = defaultStartTime + minute * minuteMs
    const inBucket = inRange.filter(
      ({ timestamp }) => start <= timestamp && timestamp < start + minuteMs,
    )
    const levels = Map.groupBy(inBucket, ({ level }) => level)
    const counts = [...levels].map(([level, { length }]) => [level, length])
    return { start, count: inBucket.length, levels: Object.fromEntries(counts) }
  })
  const histogram = prepared('histogram by minute and level')
  const refuses = (wrong: HistogramAnswer['buckets'], message: RegExp) =>
    t.rejects(
      timeQuery(answering({ bucketMs: minuteMs, buckets: wrong }).service, histogram),
      message,
    )

  t.type(await timeQuery(answering({ bucketMs: minuteMs, buckets }).service, histogram), 'number')
  await refuses(buckets.slice(1), /buckets of the range/)
  await refuses(buckets.toReversed(), /buckets of the range/)
  const [first, ...others] = buckets
  await refuses([{ ...first!, levels: { info: first!.count + 1 } }, ...others], /groups differ/)
  await refuses([{ ...first!, count: first!.count + 1 }, ...others], /count is/)
})

t.test('a query that is not in the list is refused', async t => {
  t.throws(() => queriesNamed(['make coffee']), /make coffee/)
})
