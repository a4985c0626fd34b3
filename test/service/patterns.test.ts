/** Kinds of messages, end to end: what is sent is told, asked for by its id, and the same after a restart. */

import t from 'tap'
import { minuteMs } from '../../src/time-units.ts'
import { type ServiceProcess, startService } from './service-process.ts'

const startTime = Date.UTC(2026, 0, 1)
const range = { startTime, endTime: startTime + 60 * minuteMs - 1 }

const users = 'anna bert carl dora emil fred gina hans'.split(' ')
const at = (i: number) => new Date(startTime + i * minuteMs)
const events = [
  ...Array.from({ length: 50 }, (_, i) => ({
    ...{
      time: at(i),
      level: 'info',
      message: `user ${users[i % 8]} paid ${i} EUR from 10.0.0.${i}`,
    },
  })),
  ...Array.from({ length: 6 }, (_, i) => ({
    ...{ time: at(30 + i), level: 'error', message: `card of "${users[i]} X" refused: code=E${i}` },
  })),
  { time: at(59), level: 'info', message: 'done', pattern: 'own' },
]

async function send(service: ServiceProcess): Promise<void> {
  const token = await service.makeToken('shop', 'prod')
  await service.send(token, events, 'time')
}

t.test('kinds of messages are told, asked for and compared', async t => {
  const dataDir = t.testdir()
  let service = await startService(dataDir)
  t.teardown(() => service.end('SIGKILL'))
  await send(service)
  const ask = async (operation: string, more: object = {}) => {
    const asked = { query: 'logs', ...range, ...more }
    const { status, body } = await service.call('POST', `/api/v1/query/logs/${operation}`, {
      body: asked,
    })
    t.equal(status, 200, JSON.stringify(body).slice(0, 200))
    return body
  }

  const told = await ask('patterns', { bucketMs: 10 * minuteMs })
  t.match(told, { count: 57, patternCount: 3, firstBucket: startTime, bucketMs: 10 * minuteMs })
  const [paid, refused, done] = told.patterns
  t.match(paid, {
    text: 'user <*> paid <*> EUR from <*>',
    count: 50,
    share: 50 / 57,
    levels: { info: 50 },
    services: { shop: 50 },
    firstSeen: startTime,
    lastSeen: startTime + 49 * minuteMs,
    buckets: [10, 10, 10, 10, 10, 0],
  })
  t.match(paid.variables[0].samples[0], /^[a-z]{4}$/)
  t.match(paid.variables[2].samples[0], /^10\.0\.0\.\d+$/)
  t.match(refused, { text: 'card of "<*>" refused: code=<*>', count: 6, levels: { error: 6 } })

  const byId = async (query: string) => (await service.query(query, range)).body
  t.equal((await byId(`logs{pattern="${refused.pattern}"}`)).count, 6)
  t.equal((await byId(`logs{pattern!="${refused.pattern}"} |= "user"`)).count, 50)
  t.equal((await byId(`{pattern=~"${refused.pattern}|${paid.pattern}"}`)).count, 56)
  t.equal((await byId(`logs{pattern="${done.pattern}"}`)).count, 1, 'whatever attribute there is')
  t.equal((await byId('logs{pattern="own"}')).count, 1, 'an attribute of that name')
  t.equal((await byId('logs{pattern=""}')).count, 56)
  t.same(
    (await byId('count by (pattern) (logs)')).groups.map(
      (group: { labels: object }) => group.labels,
    ),
    [{ pattern: paid.pattern }, { pattern: refused.pattern }, { pattern: 'own' }],
  )
  const facets = await ask('facets', { fields: ['pattern'] })
  t.match(facets.facets[0].values[0], { value: paid.pattern, count: 50 })
  const metrics = await service.call(
    'GET',
    `/loki/api/v1/query?time=${range.endTime / 1000}&query=${encodeURIComponent('sum by (pattern) (count_over_time({service_name="shop"}[1h]))')}`,
  )
  t.equal(metrics.body.data.result.length, 3)

  const late = { startTime: startTime + 30 * minuteMs, endTime: startTime + 40 * minuteMs - 1 }
  const early = { startTime, endTime: startTime + 30 * minuteMs - 1 }
  const compared = await ask('patterns', { ...late, compareWith: early })
  const ofRefused = ({ patterns }: { patterns: { pattern: string }[] }) =>
    patterns.find(({ pattern }) => pattern === refused.pattern)
  const change = { kind: 'new', countBefore: 0 }
  t.match(ofRefused(compared), { count: 6, change })
  const gone = await ask('patterns', { ...early, compareWith: late })
  t.match(ofRefused(gone), { count: 0, change: { kind: 'gone', countBefore: 6 } })

  const changes = await ask('changes', late)
  t.match(changes, { count: 16, countBefore: 20 })
  t.match(changes.patterns[0], { pattern: refused.pattern, count: 6 })
  t.match(changes.values[0], { field: 'log_level', value: 'error', count: 6, countBefore: 0 })

  const ids = (answer: { patterns: { pattern: string; count: number }[] }) =>
    answer.patterns.map(({ pattern, count }) => [pattern, count])
  await service.end('SIGTERM')
  service = await startService(dataDir, { flags: ['--journal-file-age', '1s'] })
  t.same(ids(await ask('patterns')), ids(told), 'after a restart')
})
