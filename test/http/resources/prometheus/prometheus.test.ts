import t from 'tap'
import { adminKey } from '../../../service/service-process.ts'
import { knownService, startSeconds } from './prometheus-data.ts'

const service = await knownService()

const end = startSeconds + 60
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** Asks both ways, which must come to the same. */
async function ask(path: string, asked: Record<string, string | readonly string[]>) {
  const parameters = new URLSearchParams()
  for (const [name, values] of Object.entries(asked)) {
    for (const value of [values].flat()) parameters.append(name, value)
  }
  const got = await service.call('GET', `/api/v1/${path}?${parameters}`)
  const options = { body: String(parameters), headers: form }
  const posted = path.startsWith('label/')
    ? got
    : await service.call('POST', `/api/v1/${path}`, options)
  t.same(posted.body, got.body, `${path} is the same by GET and by POST`)
  return got
}

const instant = async (query: string, more: Record<string, string> = {}) =>
  (await ask('query', { query, time: String(end), ...more })).body

t.test('values are text, times are seconds', async t => {
  const gives = async (query: string, data: object) =>
    t.same((await instant(query)).data, data, query)

  await gives('2 ^ 10', { resultType: 'scalar', result: [end, '1024'] })
  await gives('1 / 0', { resultType: 'scalar', result: [end, '+Inf'] })
  await gives('-1 / 0', { resultType: 'scalar', result: [end, '-Inf'] })
  await gives('0 / 0', { resultType: 'scalar', result: [end, 'NaN'] })
  const vector = (value: string) => ({
    resultType: 'vector',
    result: [{ metric: {}, value: [end, value] }],
  })
  await gives('count(logs)', vector('66'))
  await gives('rate(logs)', vector('0.22'))
  await gives('count(logs{a="b"})', vector('0'))
  await gives('max(logs | unwrap duration_ms)', vector('58'))
  await gives('count_distinct(logs | unwrap http.route)', vector('2'))
  await gives('avg(logs{a="b"} | unwrap duration_ms)', { resultType: 'vector', result: [] })
  await gives('count by (http.route) (logs{service.name="search"})', vector('6'))
  await gives('topk(1, count by (service.name) (logs))', {
    resultType: 'vector',
    result: [{ metric: { 'service.name': 'checkout' }, value: [end, '60'] }],
  })

  const { body } = await ask('query', { query: '1', time: '2023-11-14T22:14:20.5Z' })
  t.same(body.data, { resultType: 'scalar', result: [1_700_000_060.5, '1'] })
})

t.test('what people type who know metrics is understood', async t => {
  const values = async (query: string) =>
    (await instant(query)).data.result.map(({ value }: { value: string[] }) => value[1])
  t.same(await values('sum(logs)'), ['66'])
  t.same(await values('sum(rate(logs[5m]))'), ['0.22'])
  t.same(await values('vector(1)+vector(1)'), ['2'], '"Save & test" of a data source')
  t.same(await values('{__name__="logs"}'), ['6', '54', '6'])
  t.same(await values('count({__name__=~"l.*", environment="prod"})'), ['6'])
  t.same(await values('count({__name__="up"}) + count({__name__!="logs"})'), ['0'])
})

t.test('clients that look around find nothing, in the right form', async t => {
  const data = async (path: string) => {
    const { status, body } = await service.call('GET', `/api/v1/${path}`)
    t.equal(status, 200, path)
    return body.data
  }
  t.same(await data('targets?state=active'), {
    activeTargets: [],
    droppedTargets: [],
    droppedTargetCounts: {},
  })
  t.same(await data('targets/metadata'), [])
  t.same(await data('alertmanagers'), { activeAlertmanagers: [], droppedAlertmanagers: [] })
  t.same(await data('status/config'), { yaml: '' })
  t.same(await data('status/flags'), {})
})

t.test('an API key comes as the password of Basic credentials, too', async t => {
  const authorization = `Basic ${btoa(`grafana:${adminKey}`)}`
  const { status } = await service.call('GET', '/api/v1/query?query=1', {
    token: null,
    headers: { authorization },
  })
  t.equal(status, 200)
})

t.test('variables of a query are parameters of their own', async t => {
  const query = 'count(logs{service.name=~"$service"}) * $factor'
  const counted = async (service: string) => {
    const variables = { 'var.service': service, 'var.factor': '2' }
    return (await instant(query, variables)).data.result[0].value[1]
  }
  t.equal(await counted('.*'), '132')
  t.equal(await counted('checkout'), '120')
  t.equal(await counted('checkout", a="b'), '0', 'a value is text and nothing else')
  const range = { start: String(end), end: String(end), step: '300', 'var.service': 'search' }
  const { data } = (await ask('query_range', { ...range, query, 'var.factor': '1' })).body
  t.equal(data.result[0].values[0][1], '6')
  const twice = '/api/v1/query?var.service=search&var.service=checkout&var.factor=1'
  const asked = `${twice}&time=${end}&query=${encodeURIComponent(query.replace('=~', '='))}`
  const both = (await service.call('GET', asked)).body.data.result[0].value[1]
  t.equal(both, '66', 'a variable that is there twice has both values')
  t.equal((await ask('query', { query })).status, 400, 'a variable without a value')
})

t.test('an instant query looks back five minutes, or as far as it is told', async t => {
  const counted = async (time: number, more: Record<string, string> = {}) => {
    const { body } = await ask('query', { query: 'count(logs)', time: String(time), ...more })
    return body.data.result[0].value[1]
  }
  t.equal(await counted(startSeconds), '2', 'its own time is in')
  t.equal(await counted(startSeconds + 300), '64', 'the time five minutes before it is not')
  t.equal(await counted(end, { lookback_delta: '10s' }), '9')
  t.equal(await counted(end, { lookback_delta: '10.001' }), '11')
  t.equal(await counted(end, { lookback_delta: '8640000000000' }), '66', 'the longest is exact')
})

t.test('a range has points at its start and every step', async t => {
  const range = { start: String(startSeconds), end: String(end), step: '30s' }
  const ranged = async (query: string) => (await ask('query_range', { query, ...range })).body.data
  const times = [startSeconds, startSeconds + 30, end]

  t.same(await ranged('1 + 1'), {
    resultType: 'matrix',
    result: [{ metric: {}, values: times.map(time => [time, '2']) }],
  })
  const errors = await ranged('logs{log_level="error"}')
  t.same(errors.result, [
    {
      metric: {
        __name__: 'logs',
        'service.name': 'checkout',
        environment: 'test',
        log_level: 'error',
      },
      values: [
        [times[0], '1'],
        [times[1], '3'],
        [times[2], '2'],
      ],
    },
  ])
  const averages = await ranged('min by (service.name) (logs | unwrap duration_ms)')
  t.same(averages.result, [
    {
      metric: { 'service.name': 'checkout' },
      values: [
        [times[0], '0'],
        [times[1], '1'],
        [times[2], '32'],
      ],
    },
  ])
  const shifted = await ranged('count(logs offset 30s)')
  t.same(
    shifted.result[0].values.map(([, value]: string[]) => value),
    ['0', '2', '33'],
  )
  t.same(await ranged('count(logs) > 1000'), { resultType: 'matrix', result: [] })
})

t.test('an answer of many points comes whole', async t => {
  const start = end - 1_000
  const range = { start: String(start), end: String(end), step: '1' }
  const { body } = await ask('query_range', { query: 'count by (message) (logs)', ...range })
  t.equal(body.data.result.length, 61)
  let count = 0
  for (const { values } of body.data.result) {
    t.equal(values.length, 1_001)
    for (const [, value] of values) count += Number(value)
  }
  t.equal(count, 66)
})

t.test('what was skipped, cut and spent is said', async t => {
  const { infos } = await instant('sum(logs | unwrap duration_ms)')
  t.match(infos, [/^PromQL info: 15 records/])
  const cut = await instant('count by (service.name) (logs)', { limit: '1' })
  t.equal(cut.data.result.length, 1)
  t.same(cut.warnings, ['results truncated due to limit'])
  const whole = await instant('count by (service.name) (logs)', { limit: '2' })
  t.same(Object.keys(whole), ['status', 'data'])
  t.same(Object.keys(whole.data), ['resultType', 'result'])
  const path = '/api/v1/query?query=avg(logs|unwrap+duration_ms)&stats=all'
  const { body } = await service.call('GET', `${path}&time=${end}`)
  t.match(body.data.stats, { recordsScanned: Number, elapsedMs: Number, valuesSkipped: 15 })
})

t.test('labels, values and series keep to times and selectors', async t => {
  const data = async (path: string, asked: Record<string, string | string[]> = {}) =>
    (await ask(path, asked)).body.data

  const all = ['__name__', 'duration_ms', 'environment', 'http.route', 'log_level', 'message']
  t.same(await data('labels'), [...all, 'service.name'])
  const search = 'logs{service.name="search"}'
  const ofSearch = ['__name__', 'environment', 'log_level', 'message', 'service.name']
  t.same(await data('labels', { 'match[]': search }), ofSearch)
  t.same(await data('labels', { 'match[]': '{__name__=~".+",}', limit: '2' }), all.slice(0, 2))

  t.same(await data('label/__name__/values'), ['logs'])
  t.same(await data('label/__name__/values', { 'match[]': '{__name__=~".*log.*"}' }), ['logs'])
  t.same(await data('label/__name__/values', { 'match[]': '{__name__="up"}' }), [])
  t.same(await data('label/service.name/values'), ['checkout', 'search'])
  t.same(await data('label/U__service_2e_name/values'), ['checkout', 'search'])
  t.same(await data('label/http.route/values', { start: String(end - 1) }), ['/b'])
  t.same(await data('label/environment/values', { 'match[]': [search, '{log_level="error"}'] }), [
    'prod',
    'test',
  ])
  t.same(await data('label/absent/values'), [])

  const named = { __name__: 'logs', 'service.name': 'search', environment: 'prod' }
  t.same(await data('series', { 'match[]': ['logs{"service.name"="search"}', search] }), [
    { ...named, log_level: 'info' },
  ])
  t.same(await data('series', { 'match[]': 'logs', end: String(startSeconds - 1) }), [])
  t.equal((await data('series', { 'match[]': '{}', start: String(startSeconds) })).length, 3)
})

t.test('what there is none of is empty', async t => {
  const gives = async (path: string, data: unknown) =>
    t.same((await service.call('GET', `/api/v1/${path}`)).body, { status: 'success', data }, path)

  await gives('query_exemplars?query=logs', [])
  await gives('rules', { groups: [] })
  await gives('alerts', { alerts: [] })
  await gives('metadata?metric=up', {})
})

t.test('errors have the form of Prometheus', async t => {
  const refuses = async (
    path: string,
    asked: Record<string, string | readonly string[]>,
    status: number,
    errorType: string,
    error: RegExp,
  ) => {
    const answer = await ask(path, asked)
    t.equal(answer.status, status, `${path} ${JSON.stringify(asked)}`)
    t.match(answer.body, { status: 'error', errorType, error })
  }
  const bad = (path: string, asked: Record<string, string>, error: RegExp) =>
    refuses(path, asked, 400, 'bad_data', error)
  const range = { query: 'count(logs)', start: '0', end: '60', step: '1' }

  await bad('query', {}, /"query"/)
  await bad('query', { query: '' }, /"query"/)
  await bad('query', { query: 'count(logs' }, /^1:11: /)
  await bad('query', { query: 'up' }, /^1:1: /)
  await bad('query', { query: 'logs{a=~"("}' }, /^1:9: /)
  await bad('query', { query: '1', time: 'now' }, /"time".*"now"/)
  await bad('query', { query: '1', time: '1e20' }, /"time"/)
  await bad('query', { query: '1', timeout: 'soon' }, /"timeout"/)
  await bad('query', { query: '1', lookback_delta: '0' }, /"lookback_delta"/)
  await bad('query', { query: '1', lookback_delta: '17280000000000' }, /"lookback_delta"/)
  await bad('query', { query: '1', limit: '-1' }, /"limit"/)
  await bad('query_range', { ...range, start: '' }, /"start"/)
  await bad('query_range', { ...range, step: '' }, /"step"/)
  await bad('query_range', { ...range, step: '0' }, /"step"/)
  await bad('query_range', { ...range, step: '-5' }, /"step"/)
  await bad('query_range', { ...range, step: '0.0001' }, /"step"/)
  await bad('query_range', { ...range, step: '1 minute' }, /"step"/)
  await bad('query_range', { ...range, start: '61' }, /"end" must not be before "start"/)
  await bad('query_range', { ...range, end: '11001' }, /"step".*11000 points/)
  await bad('series', {}, /"match\[\]"/)
  await bad('series', { 'match[]': 'count(logs)' }, /"match\[\]"/)
  await bad('series', { 'match[]': '{a="b"' }, /^1:7: .* at line 1, column 7/)
  await bad('labels', { start: '2', end: '1' }, /"end"/)
  const many = { 'match[]': new Array<string>(101).fill('logs') }
  for (const path of ['series', 'labels']) {
    await refuses(path, many, 400, 'bad_data', /"match\[\]" must stand at most 100 times/)
  }
  const denied = await service.call('GET', '/api/v1/query?query=1', { token: null })
  t.equal(denied.status, 401)
  t.match(denied.body, { status: 'error', errorType: 'bad_data' })
  const typed = await service.call('POST', '/api/v1/query', { body: { query: '1' } })
  t.equal(typed.status, 415)
})
