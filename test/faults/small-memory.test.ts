import t from 'tap'
import { startServiceOf } from '../service/service-process.ts'
import { metric } from './events-oracle.ts'
import { peakBytes } from './process-memory.ts'

const mib = 1024 * 1024
const heapMib = 128
/** Bodies of all requests that are sent at once: ten times what the service may hold of them. */
const senders = 80
const eventsPerBody = 4_000

t.test('with little memory and ten times too much to do, it refuses, and stays up', async t => {
  const service = await startServiceOf(t, t.testdir(), {
    flags: [
      ...['--max-pending-bytes', '8MiB', '--max-batch-bytes', '4MiB', '--scan-cache-bytes', '8MiB'],
      ...['--max-concurrent-queries', '2', '--journal-file-bytes', '4MiB'],
    ],
    environment: { NODE_OPTIONS: `--max-old-space-size=${heapMib}` },
  })
  const token = await service.makeToken()
  const body = Array.from({ length: eventsPerBody }, (_, i) =>
    JSON.stringify({ message: `event ${i} of many`, id: `${i * 7919}`, padding: 'x'.repeat(150) }),
  ).join('\n')

  const statuses: number[] = []
  const post = async () => {
    const sent = await service.call('POST', '/api/v1/webhook/event/logs', { token, body })
    statuses.push(sent.status)
  }
  const queries: number[] = []
  const ask = async (query: string) => {
    queries.push((await service.query(query)).status)
  }
  await Promise.all([
    ...Array.from({ length: senders }, post),
    ...Array.from({ length: 10 }, () => ask('count by (id, message) (logs)')),
    ...Array.from({ length: 10 }, () => ask('logs |~ "[a-z]+ 3[0-9]* of"')),
  ])

  const count = (of: number[], status: number) => of.filter(each => each === status).length
  t.ok(count(statuses, 200) > 0, `${count(statuses, 200)} bodies were stored`)
  t.ok(count(statuses, 429) > 0, `${count(statuses, 429)} were refused`)
  t.equal(count(statuses, 200) + count(statuses, 429), statuses.length)
  t.ok(
    queries.every(status => [200, 400, 429, 503].includes(status)),
    `answers: ${[...new Set(queries)]}`,
  )
  const stored = count(statuses, 200) * eventsPerBody
  t.equal((await service.query('count(logs)', { limit: 1 })).body.count, stored)
  t.equal(await metric(service, 'events_accepted_total'), stored)
  const peak = peakBytes(service.pid)
  const sentMib = (statuses.length * body.length) / mib
  t.ok(peak < 640 * mib, `${Math.round(peak / mib)} MiB at most while ${Math.round(sentMib)} came`)
  t.equal(await service.end(), 0)
})
