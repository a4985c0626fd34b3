/** Queries made to take all of the service: refused before they begin, bounded when they run. */
import t from 'tap'
import { limits } from '../../src/limits.ts'
import { peakBytes } from '../faults/process-memory.ts'
import { startServiceOf } from '../service/service-process.ts'

const flags = ['--max-concurrent-queries', '2', '--query-timeout', '10s']
const service = await startServiceOf(t, t.testdir(), { flags })
const token = await service.makeToken()
const mib = 1024 * 1024

const eventCount = 60_000
const events = Array.from({ length: eventCount }, (_, i) => {
  return { message: `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa! ${i}`, id: `${i * 7919}`, ms: i }
})
await service.send(token, events)

t.test('what is too large is refused before it begins', async t => {
  const refuses = async (query: string, code: string) => {
    const startedAt = performance.now()
    const { status, body } = await service.query(query)
    t.match({ status, code: body.code }, { status: 400, code }, query.slice(0, 40))
    t.ok(performance.now() - startedAt < 5_000, `${query.slice(0, 40)}: at once`)
  }
  const repeated = (text: string) =>
    text.repeat(Math.floor(limits.queryLengthMax / text.length) - 8)
  await refuses('x'.repeat(900_000), 'query_too_large')
  await refuses(`logs{${repeated('a="b",')}}`, 'query_too_large')
  await refuses(`logs ${repeated('|= "a" ')}`, 'query_too_large')
  await refuses(repeated('('), 'query_too_large')
  await refuses(`${repeated('-')}1`, 'query_too_large')
  await refuses(`count(logs)${repeated(' + count(logs)')}`, 'query_too_large')
  await refuses(`logs |~ "${repeated('(a{1,1000}){1,1000}')}"`, 'query_regex')
  await refuses('logs |~ "((a{100}){100}){100}"', 'query_regex')
  await refuses('logs |~ "(a)\\\\1"', 'query_regex')
  await refuses('logs |~ "(?=a)"', 'query_regex')
  await refuses('count by (id) (logs)', 'query_too_large')
  const { status, body } = await service.query('logs', { limit: 1e9 })
  t.match({ status, body }, { status: 400, body: { field: 'limit' } })
})

t.test('expressions that stall other engines are answered, and hold nobody up', async t => {
  const alternatives = Array.from({ length: 2_000 }, (_, i) => `w${i}`).join('|')
  const expressions = ['^(a+)+$', '(.*)*x', '(a|aa)+$', '(a|a?)+$', '(.*a){10}', alternatives]
  let isOver = false
  const times: number[] = []
  const goodClient = async () => {
    while (!isOver) {
      const startedAt = performance.now()
      const sent = { token, body: { message: 'good' } }
      t.equal((await service.call('POST', '/api/v1/webhook/event/log', sent)).status, 200)
      times.push(performance.now() - startedAt)
    }
  }
  const good = goodClient()
  for (const expression of expressions) {
    const { status } = await service.query(`logs |~ \`${expression}\``, { limit: 1 })
    // In linear time, or given up at the deadline; on a busy machine that is the same to others.
    t.ok(status === 200 || status === 503, `${expression.slice(0, 20)}: ${status}`)
  }
  isOver = true
  await good
  t.ok(Math.max(...times) < 5_000, `an event took ${Math.round(Math.max(...times))} ms at most`)
})

t.test(
  'a hundred clients that ask for everything get turns, or are asked to come back',
  async t => {
    const before = peakBytes(service.pid)
    const asks = Array.from({ length: 100 }, (_, i) =>
      service.query(i % 2 ? 'logs !~ "[b-y]{3}x"' : `count by (id) (logs{ms=~".*${i}"})`, {
        limit: 1_000,
        timeoutMs: 1_000,
      }),
    )
    const answers = await Promise.all(asks)
    for (const { status, body, headers } of answers) {
      t.ok([200, 400, 503].includes(status), `${status} ${body.code}`)
      if (status === 503) t.match(body.code, /^(queries_overloaded|query_timeout)$/)
      if (body.code === 'queries_overloaded') t.match(headers.get('retry-after'), /^\d+$/)
    }
    const grown = peakBytes(service.pid) - before
    t.ok(grown < 300 * mib, `${Math.round(grown / mib)} MiB more`)
    // Threads that were ended in the middle of an expression begin anew: that may take a moment.
    const all = () => service.query('count(logs{ms!=""})', { limit: 1 })
    let last = await all()
    for (let tries = 0; last.status !== 200 && tries < 20; tries++) last = await all()
    t.equal(last.body.count, eventCount, 'and afterwards all is as before')
    t.equal(await service.end(), 0)
  },
)
