import t from 'tap'
import { serviceOfProcess } from './shared-service.ts'

const service = await serviceOfProcess('expressions')

for (const [name, durations] of [
  ['checkout', [10, 20, 30, 'slow']],
  ['search', [1, 2]],
] as const) {
  const token = await service.makeToken(name, 'prod')
  const events = durations.map((ms, i) => ({
    time: new Date(1_000 * (i + 1)),
    level: i === 0 ? 'error' : 'info',
    message: `request ${i}`,
    ms,
  }))
  await service.send(token, events, 'time')
}

const ask = async (query: string, more: object = {}) => {
  const asked = { query, startTime: 0, endTime: 59_999, ...more }
  const { status, body } = await service.call('POST', '/api/v1/query/logs', { body: asked })
  return { status, body }
}

t.test('an expression over one selector answers with a value, and with its records', async t => {
  const gives = async (query: string, value: unknown, more: object = {}) => {
    const { status, body } = await ask(query)
    t.equal(status, 200, query)
    t.match(body, { count: 6, value, groups: undefined, ...more })
    t.equal(body.logs.length, 6)
  }
  await gives('sum(logs | unwrap ms)', 63, { valuesSkipped: 1 })
  await gives('avg(logs | unwrap ms)', 12.6)
  await gives('quantile(0.5, logs | unwrap ms)', 10)
  await gives('count_distinct(logs | unwrap ms)', 6)
  await gives('count(logs) * 2 ^ 2', 24)
  await gives('-count(logs)', -6)
  await gives('rate(logs)', 0.1)
  await gives('count(logs) / 0', '+Inf')
  await gives('count(logs) > 100', undefined)
  await gives('count(logs) > bool 100', 0)
  await gives('avg(logs | unwrap absent)', undefined, { valuesSkipped: 6 })
})

t.test('groups of an expression have a value each, largest first', async t => {
  const gives = async (query: string, groups: [service: string, value: number][]) => {
    const { body } = await ask(query)
    const expected = groups.map(([name, value]) => ({ labels: { 'service.name': name }, value }))
    t.same(body.groups, expected, query)
    t.equal(body.value, undefined)
  }
  await gives('max by (service.name) (logs | unwrap ms)', [
    ['checkout', 30],
    ['search', 2],
  ])
  await gives('bottomk(1, count by (service.name) (logs))', [['search', 2]])
  await gives('topk(2, min by (service.name) (logs | unwrap ms))', [
    ['checkout', 10],
    ['search', 1],
  ])
})

t.test(
  'whether an expression has groups is known from the query, not from the records',
  async t => {
    const gives = async (query: string, groups: unknown[]) => {
      const { body } = await ask(query)
      t.same(body.groups, groups, query)
      t.equal(body.value, undefined)
    }
    await gives('avg by (service.name) (logs | unwrap absent)', [])
    await gives('count by (service.name) (logs) > 100', [])
    await gives('sum by (absent) (logs | unwrap ms)', [{ labels: { absent: '' }, value: 63 }])
  },
)

t.test('a count by labels has counts, as ever', async t => {
  const { body } = await ask('count by (service.name) (logs)')
  t.same(body.groups, [
    { labels: { 'service.name': 'checkout' }, count: 4 },
    { labels: { 'service.name': 'search' }, count: 2 },
  ])
})

t.test('an offset moves the time of records and figures alike', async t => {
  const { body } = await ask('sum(logs | unwrap ms offset 1m)', {
    startTime: 60_000,
    endTime: 62_000,
  })
  t.match(body, { count: 4, value: 33 })
  t.match(body.logs[0], { timestamp: 1_000 })
})

t.test('variables stand for texts and never for more', async t => {
  const selects = async (value: string, count: number) => {
    const { body } = await ask('count(logs{service.name="$service"})', {
      variables: { service: value },
    })
    t.equal(body.count, count, value)
  }
  await selects('search', 2)
  await selects('search"} or logs{service.name="checkout', 0)
  const several = { variables: { service: ['search', 'no.such|service'] } }
  t.equal((await ask('count(logs{service.name="$service"})', several)).body.count, 2)
  t.equal((await ask('logs', { variables: { a: [] } })).status, 400)
  const { body } = await ask('topk($k, count by (service.name) (logs))', { variables: { k: '1' } })
  t.equal(body.groups.length, 1)
})

t.test('what is not one selector is refused with the position', async t => {
  const refuses = async (query: string, code: string, more: object = {}) => {
    const { status, body } = await ask(query, more)
    t.equal(status, 400, query)
    t.match(body, { code, field: 'query', position: { offset: Number } })
  }
  await refuses('count(logs{a="1"}) / count(logs)', 'query_syntax')
  await refuses('1 + 1', 'query_syntax')
  await refuses('avg(logs)', 'query_syntax')
  await refuses('count(logs{a=$b})', 'query_syntax')
  const { status, body } = await ask('logs', { variables: { a: 1 } })
  t.equal(status, 400)
  t.match(body, { code: 'field_invalid', field: 'variables.a' })
})
