import t from 'tap'
import { limits } from '../../../../src/limits.ts'
import { call } from '../../call.ts'
import { config, nothingSelected, startServer } from '../../stand-ins.ts'

const operation = 'POST /api/v1/query/logs/trace'

t.test('what is asked reaches the store, defaults filled in', async t => {
  const { url, explored } = await startServer(t)
  const reaches = async (body: object, expected: object) => {
    const [status] = await call(url, operation, body)
    t.equal(status, 200, JSON.stringify(body))
    t.same(explored.pop(), { startTime: undefined, endTime: undefined, ...expected })
  }
  const defaults = { limit: limits.queryLimitMax, cursor: undefined }
  await reaches({ traceId: 'a b' }, { ...defaults, of: { traceId: 'a b' } })
  await reaches({ id: 'a.b', traceId: null }, { ...defaults, of: { recordId: 'a.b' } })
  await reaches(
    { traceId: '7', startTime: -1, limit: 1, cursor: 'asc.1.2', timeoutMs: 5_000 },
    { of: { traceId: '7' }, startTime: -1, limit: 1, cursor: 'asc.1.2' },
  )
})

t.test('each mistake is refused and names its field', async t => {
  const { url, explored } = await startServer(t)
  const refuses = async (body: object, field: string) => {
    const [status, problem] = await call(url, operation, body)
    t.equal(status, 400, JSON.stringify(body).slice(0, 80))
    t.match(problem, { code: 'field_invalid', field })
  }
  const traceId = 'a'
  await refuses({}, 'traceId')
  await refuses({ traceId, id: 'a.b' }, 'traceId')
  await refuses({ traceId: '' }, 'traceId')
  await refuses({ traceId: 'x'.repeat(limits.traceIdLengthMax + 1) }, 'traceId')
  await refuses({ id: 7 }, 'id')
  await refuses({ traceId, startTime: 2, endTime: 1 }, 'startTime')
  await refuses({ traceId, startTime: 1.5 }, 'startTime')
  for (const limit of [0, limits.queryLimitMax + 1]) await refuses({ traceId, limit }, 'limit')
  await refuses({ traceId, timeoutMs: config.queryTimeoutMs + 1 }, 'timeoutMs')
  t.same(explored, [])
  const longest = { traceId: 'x'.repeat(limits.traceIdLengthMax) }
  t.match(await call(url, operation, longest), [200, { traceId: longest.traceId }])
})

t.test('a large trace is answered whole, whatever its id is', async t => {
  const record = { id: 'a.b', timestamp: 1, log_level: 'info', attributes: {} }
  const records = Array.from({ length: 5 }, () => ({ ...record, message: '[],"'.repeat(50_000) }))
  const span = { service: 'api', count: 5, errors: 0, firstAt: 1, lastAt: 1 }
  const found = { traceId: '[]"records":[', count: 5, startTime: 1, endTime: 1, records }
  const { stats } = nothingSelected
  const answer = { ...found, services: [span], truncated: true, nextCursor: 'asc.a.b', stats }
  const { url } = await startServer(t, {
    store: { trace: async () => ({ ...answer, truncated: true as const }) },
  })
  t.strictSame(await call(url, operation, { traceId: '[]' }), [200, answer])
  const [, { warnings }] = await call(url, operation, { traceId: 'a', startTime: 1_700_000_000 })
  t.match(warnings, [/looks like seconds/])
})
