/**
 * What Loki's API, Prometheus' and our own answer to the same question, which must be the same: the ways to
 * ask differ in nothing but the names of labels and the form of the answer.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Test } from 'tap'
import { logqlName } from '../../../src/language/logql-names.ts'
import { forAllAsync } from '../../for-all.ts'
import { longRuns, share } from '../../long-runs.ts'
import type { ServiceProcess } from '../../service/service-process.ts'
import { basic } from './ask.ts'
import { startSeconds } from './loki-data.ts'

const selectors = fc.constantFrom(
  '{}',
  '{service_name="checkout"}',
  '{service_name=~"check.*|search", detected_level!="info"}',
  '{http.route="/b"}',
  '{} | http_route="/b"',
  '{duration_ms > 20}',
  '{environment="test"} |= "payment"',
  '{} |> "payment <_>"',
  '{} !~ "(?i)PAYMENT 1"',
  '{} | pattern "<what> <n>" | n >= 10',
  '{} | label_format took="{{.duration_ms}}ms" | took > 20ms',
  '{service_name="none"}',
)

const groupings = fc.constantFrom(
  '',
  ' by (service_name)',
  ' by (detected_level, environment)',
  ' without (detected_level)',
  ' by (what)',
)
const ranges = fc.constantFrom('[5s]', '[1m]', '[7s] offset 3s')
const values = fc.constantFrom('duration_ms', 'duration(took)', 'bytes(n)', 'n')

const ofRecords = fc
  .tuple(
    fc.constantFrom('count_over_time', 'rate', 'bytes_over_time', 'bytes_rate', 'absent_over_time'),
    ranges,
  )
  .map(
    ([operation, range]) =>
      (selector: string) =>
        `${operation}(${selector} ${range})`,
  )

const ofValues = fc
  .tuple(
    fc.constantFrom('sum', 'avg', 'min', 'max', 'stddev', 'stdvar', 'first', 'last', 'quantile'),
    values,
    ranges,
    groupings,
  )
  .map(([operation, value, range, grouping]) => (selector: string) => {
    const parameter = operation === 'quantile' ? '0.5, ' : ''
    const taken = `${selector} | unwrap ${value} ${range}`
    return `${operation}_over_time(${parameter}${taken})${grouping}`
  })

const ofAll = fc.oneof(ofRecords, ofValues)

/** Over one selector, so that our API of records takes it, too; all of it under the same offset. */
const questions: fc.Arbitrary<string> = fc
  .tuple(
    selectors,
    ofAll,
    fc.constantFrom(
      '',
      'sum',
      'max',
      'count',
      'stddev',
      'topk',
      'sort_desc',
      'label_replace',
      '+',
      'and',
    ),
    groupings,
  )
  .map(([selector, make, around, grouping]) => {
    const inner = make(selector)
    if (around === '') return inner
    if (around === 'topk') return `topk(2, ${inner})`
    if (around === 'sort_desc') return `sort_desc(${inner})`
    if (around === 'label_replace')
      return `label_replace(${inner}, "of", "$1", "service_name", "(.).*")`
    if (around === '+') return `${inner} * 2 + ${inner}`
    if (around === 'and') return `${inner} and ${inner} > 1 or ${inner}`
    return `${around}${grouping} (${inner})`
  })

/** Within the records of the shared service. */
const time = startSeconds + 45

export async function agreements(t: Test, service: ServiceProcess): Promise<void> {
  await t.test('answer the same question alike', async t => {
    let seriesCount = 0
    await forAllAsync(longRuns(100), questions, async query => {
      const loki = await instant(service, '/loki/api/v1/query', query)
      const prometheus = await instant(service, '/api/v1/query', query)
      const own = await ofRecordsApi(service, query)
      assert.deepEqual(prometheus, loki, `Prometheus' API and Loki's: ${query}`)
      assert.deepEqual(own, loki, `our API and Loki's: ${query}`)
      seriesCount += loki.length
    })
    t.ok(seriesCount > 10, `${seriesCount} series`)
  })
}

/** Points of which some lie before all records, and some behind them. */
const rangesOfPoints = fc.record({
  query: questions,
  from: fc.integer({ min: -20, max: 50 }),
  stepSeconds: fc.constantFrom(1, 5, 15),
  /** Loki's API refuses a range that is one time. */
  steps: fc.integer({ min: 1, max: 12 }),
})

/** The two data sources that Grafana draws with. */
export async function rangeAgreements(t: Test, service: ServiceProcess): Promise<void> {
  await t.test('draw the same points for the same question', async t => {
    let pointCount = 0
    await forAllAsync(
      longRuns(100),
      rangesOfPoints,
      async ({ query, from, stepSeconds, steps }) => {
        // Loki's API moves points to multiples of the step, as Grafana does before it asks Prometheus'.
        const start = Math.floor((startSeconds + from) / stepSeconds) * stepSeconds
        const times = { start, end: start + stepSeconds * steps, step: stepSeconds }
        const loki = await points(service, '/loki/api/v1/query_range', query, times)
        const prometheus = await points(service, '/api/v1/query_range', query, times)
        assert.deepEqual(prometheus, loki, `${query} ${JSON.stringify(times)}`)
        pointCount += loki.length
      },
    )
    t.ok(pointCount > share(50), `${pointCount} points`)
  })
}

interface PointTimes {
  readonly start: number
  readonly end: number
  readonly step: number
}

/** Each point under the labels of its series. */
async function points(
  service: ServiceProcess,
  path: string,
  query: string,
  { start, end, step }: PointTimes,
): Promise<string[]> {
  const asked = new URLSearchParams({ query, start: `${start}`, end: `${end}`, step: `${step}` })
  const credential = { token: null, headers: { authorization: basic } }
  const { status, body } = await service.call('GET', `${path}?${asked}`, credential)
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`)
  assert.equal(body.data.resultType, 'matrix', query)
  const { result } = body.data
  return inOrder(
    result.flatMap(
      ({ metric, values }: { metric: Record<string, string>; values: [number, string][] }) =>
        values.map(([at, value]) => `${at} ${seriesText(metric, Number(value))}`),
    ),
  )
}

/** Records that one may ask for in all ways. */
const recordQuestions = fc.record({
  query: fc
    .tuple(selectors, fc.constantFrom('', '', '| distinct detected_level', '| distinct http_route'))
    .map(parts => parts.join(' ')),
  from: fc.integer({ min: 0, max: 50 }),
  seconds: fc.integer({ min: 1, max: 60 }),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.constantFrom(1, 7, 100),
})

export async function recordAgreements(t: Test, service: ServiceProcess): Promise<void> {
  await t.test('give the same records to the same question', async t => {
    let recordCount = 0
    await forAllAsync(
      longRuns(100),
      recordQuestions,
      async ({ query, from, seconds, order, limit }) => {
        const startTime = (startSeconds + from) * 1000
        const endTime = startTime + seconds * 1000 - 1
        const asked = { query, startTime, endTime, order }
        const own = await service.call('POST', '/api/v1/query/logs', { body: { ...asked, limit } })
        assert.equal(own.status, 200, `${query}: ${JSON.stringify(own.body)}`)
        const records = own.body.logs.map(recordText)
        const loki = await entries(service, asked, limit)
        assert.deepEqual(loki, inOrder(records), `our API and Loki's: ${query}`)
        const exported = (await service.exported(query, asked)).map(recordText)
        assert.equal(exported.length, own.body.count, `count and export: ${query}`)
        assert.deepEqual(exported.slice(0, limit), records, `records and export: ${query}`)
        recordCount += records.length
      },
    )
    t.ok(recordCount > 10, `${recordCount} records`)
  })
}

interface Asked {
  readonly query: string
  /** Both inclusive, ms. */
  readonly startTime: number
  readonly endTime: number
  readonly order: 'asc' | 'desc'
}

/** Those of Loki's streams, which have no order among them. */
async function entries(
  service: ServiceProcess,
  { query, startTime, endTime, order }: Asked,
  limit: number,
): Promise<string[]> {
  const asked = new URLSearchParams({
    query,
    start: `${startTime}000000`,
    end: `${endTime + 1}000000`,
    direction: order === 'asc' ? 'forward' : 'backward',
    limit: `${limit}`,
  })
  const credential = { token: null, headers: { authorization: basic } }
  const path = `/loki/api/v1/query_range?${asked}`
  const { status, body } = await service.call('GET', path, credential)
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`)
  const { result } = body.data
  return inOrder(
    result.flatMap((one: { stream: Record<string, string>; values: [string, string][] }) => {
      const { service_name, environment, detected_level } = one.stream
      return one.values.map(([time, line]) =>
        JSON.stringify([
          Number(time.slice(0, -6)),
          ...[service_name, environment, detected_level, line],
        ]),
      )
    }),
  )
}

interface OwnRecord {
  readonly timestamp: number
  readonly log_level: string
  readonly message: string
  readonly attributes: Readonly<Record<string, string>>
}

function recordText({ timestamp, log_level, message, attributes }: OwnRecord): string {
  const { environment, 'service.name': name } = attributes
  return JSON.stringify([timestamp, name, environment, log_level, message])
}

async function instant(service: ServiceProcess, path: string, query: string): Promise<string[]> {
  const asked = new URLSearchParams({ query, time: String(time) })
  const credential = { token: null, headers: { authorization: basic } }
  const { status, body } = await service.call('GET', `${path}?${asked}`, credential)
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`)
  const { result } = body.data
  return inOrder(
    result.map(({ metric, value }: { metric: Record<string, string>; value: [number, string] }) =>
      seriesText(metric, Number(value[1].replace('Inf', 'Infinity'))),
    ),
  )
}

/** `/query/logs` has one value, or one for each group. */
async function ofRecordsApi(service: ServiceProcess, query: string): Promise<string[]> {
  const endTime = time * 1000
  const { status, body } = await service.query(query, { startTime: endTime - 1, endTime, limit: 1 })
  assert.equal(status, 200, `${query}: ${JSON.stringify(body)}`)
  const groups =
    body.groups ?? (body.value === undefined ? [] : [{ labels: {}, value: body.value }])
  return inOrder(
    groups.map(({ labels, value }: { labels: Record<string, string>; value: number | string }) =>
      seriesText(labels, Number(String(value).replace('Inf', 'Infinity'))),
    ),
  )
}

function seriesText(labels: Record<string, string>, value: number): string {
  const pairs = Object.entries(labels).filter(([, text]) => text !== '')
  const named = pairs.map(([name, text]) => `${logqlName(name)}=${JSON.stringify(text)}`)
  return `{${named.sort().join(',')}} ${value}`
}

const inOrder = (series: readonly string[]) => [...series].sort()
