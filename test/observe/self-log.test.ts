import { pino } from 'pino'
import t, { type Test } from 'tap'
import { Metrics } from '../../src/observe/metrics.ts'
import { linesPerIntervalMax, SelfLog } from '../../src/observe/self-log.ts'
import type { StoreStats } from '../../src/store/store.ts'
import { openTestCatalog } from '../catalog/catalog-in.ts'
import { until } from '../until.ts'
import { fakeIngest } from './fake-ingest.ts'

type Options = Parameters<SelfLog['start']>[0]

/** A self-log with a clock that leaps by `stepMs` at each look, and what it has sent so far. */
async function started(t: Test, log: SelfLog, { stepMs = 1, status = 200 } = {}) {
  const { ingestionTokens } = await openTestCatalog(t, t.testdir())
  const { url, received } = await fakeIngest(t, () => [status])
  const metrics = new Metrics()
  const logged: string[] = []
  let time = 1_700_000_000_000
  const options: Options = {
    url,
    tokens: ingestionTokens,
    version: '1.2.3',
    logger: pino({}, { write: line => logged.push(line) }),
    now: () => {
      time += stepMs
      return time
    },
    sample: async () => ({
      totals: await metrics.totals(),
      store: { journalRecords: 1, segmentRecords: 1 } as StoreStats,
      answers: 0,
      serverErrors: 0,
    }),
  }
  await log.start(options)
  t.teardown(() => log.stop())
  const events = () => received.flatMap(({ events }) => events)
  return { events, received, logged, ingestionTokens }
}

const line = (more: object) => JSON.stringify({ level: 30, time: 1, msg: 'a line', ...more })

t.test('lines from info up become events, without stack traces', async t => {
  const log = new SelfLog()
  log.take(line({ level: 20, msg: 'debug' }))
  log.take(line({ level: 40, msg: 'before the start', file: 'x' }))
  const err = { type: 'Error', message: 'disk', stack: 'Error: disk\n  at /srv/x.ts', code: 'EIO' }
  log.take(line({ level: 50, err }))
  const { events } = await started(t, log)
  await until(() => events().length >= 3)
  t.same(
    events().map(({ message }) => message),
    ['before the start', 'a line', 'logstrata 1.2.3 started'],
  )
  t.match(events()[0], { level: 40, time: 1, kind: 'line', file: 'x' })
  t.same(events()[1]?.error, { type: 'Error', message: 'disk' })
  t.notMatch(JSON.stringify(events()), /x\.ts/)
})

t.test('a record of figures comes each interval, by the clock alone', async t => {
  const { events, ingestionTokens } = await started(t, new SelfLog(), { stepMs: 20_000 })
  await until(() => events().some(({ kind }) => kind === 'figures'))
  const figures = events().find(({ kind }) => kind === 'figures')
  t.match(figures, { level: 'info', records: 2, lines_left_out: 0, message: /events\/s/ })
  t.type(figures?.memory_bytes, 'number')
  t.match(ingestionTokens.list(), [{ serviceName: 'logstrata', environment: 'self' }])
})

t.test('what could feed itself is left out: lines about ingest, and more than a few', async t => {
  const log = new SelfLog()
  log.take(line({ level: 50, method: 'POST', path: '/api/v1/webhook/event/logs' }))
  for (let i = 0; i < linesPerIntervalMax + 7; i++) log.take(line({ i }))
  const { events } = await started(t, log, { stepMs: 20_000 })
  await until(() => events().some(({ kind }) => kind === 'figures'))
  t.equal(events().filter(({ kind }) => kind === 'line').length, linesPerIntervalMax)
  t.notOk(events().some(({ path }) => path !== undefined))
  t.match(
    events().find(({ kind }) => kind === 'figures'),
    { lines_left_out: 7 },
  )
})

t.test('a deleted token ends it with one line, and no event', async t => {
  const log = new SelfLog()
  const { received, logged } = await started(t, log, { status: 401 })
  await until(() => logged.length > 0)
  log.take(line({ msg: 'too late' }))
  t.equal(received.length, 1)
  t.match(JSON.parse(logged[0]!), { level: 40, err: { status: 401 } })
})
