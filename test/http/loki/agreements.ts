/**
 * What Loki's API, Prometheus' and our own answer to the same question, which must be the same: the ways to
 * ask differ in nothing but the names of labels and the form of the answer.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Test } from 'tap'
import { logqlName } from '../../../src/language/logql-names.ts'
import { longRuns } from '../../long-runs.ts'
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
    await fc.assert(
      fc.asyncProperty(questions, async query => {
        const loki = await instant(service, '/loki/api/v1/query', query)
        const prometheus = await instant(service, '/api/v1/query', query)
        const own = await ofRecordsApi(service, query)
        assert.deepEqual(prometheus, loki, `Prometheus' API and Loki's: ${query}`)
        assert.deepEqual(own, loki, `our API and Loki's: ${query}`)
        seriesCount += loki.length
      }),
      longRuns(100),
    )
    t.ok(seriesCount > 10, `${seriesCount} series`)
  })
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
