import { join } from 'node:path'
import t from 'tap'
import { startServiceOf } from '../service/service-process.ts'
import { EventsOracle } from './events-oracle.ts'
import { FaultyDisk, noFaultyDisk } from './faulty-disk.ts'
import { peakBytes } from './process-memory.ts'

const mib = 1024 * 1024
/** More than a write may take before the service calls itself degraded. */
const delayMs = 1_100

/** Half of what one event carries. */
const half = 'x'.repeat(250_000)

t.test(
  'a disk that takes seconds holds senders up, and nothing else',
  {
    skip: noFaultyDisk,
  },
  async t => {
    const directory = t.testdir({ data: {} })
    const disk = new FaultyDisk(directory)
    t.teardown(() => disk.close())
    const service = await startServiceOf(t, join(directory, 'data'), {
      flags: [
        '--max-event-bytes',
        '1MiB',
        '--max-batch-bytes',
        '1MiB',
        '--max-pending-bytes',
        '4MiB',
      ],
      environment: disk.environment,
    })
    const oracle = new EventsOracle()
    const token = await service.makeToken()
    const health = async () => (await service.call('GET', '/health', { token: null })).body
    await oracle.send(service, token, ['before'])
    t.same(await health(), { status: 'ok' })
    const before = peakBytes(service.pid)

    disk.slowDown('/data/journal/', delayMs)
    const statuses: number[] = []
    const retryAfter = new Set<string | null>()
    const send = async (sender: number) => {
      for (let i = 0; statuses.length < 150; i++) {
        const id = `${sender}-${i}`
        oracle.sent.add(id)
        const body = { message: id, id, a: half, b: half }
        const sent = await service.call('POST', '/api/v1/webhook/event/log', { token, body })
        statuses.push(sent.status)
        if (sent.status === 200) oracle.acknowledged.add(id)
        else retryAfter.add(sent.headers.get('retry-after'))
      }
    }
    const senders = Promise.all(Array.from({ length: 32 }, (_, sender) => send(sender)))
    // It may be overloaded first: that is told as well.
    const isSlow = async () =>
      (await health()).reasons?.some((reason: string) => /the disk is slow/.test(reason))
    while (!(await isSlow())) await new Promise(setImmediate)
    t.equal((await health()).status, 'degraded')
    const askedAt = performance.now()
    t.equal((await service.query('logs |= "before"')).body.count, 1)
    t.ok(performance.now() - askedAt < delayMs, 'a query does not wait for the disk')
    await senders

    t.same([...new Set(statuses)].sort(), [200, 429], 'some fit, the others shall come back')
    t.same([...retryAfter], ['1'])
    const grown = peakBytes(service.pid) - before
    t.ok(
      grown < 200 * mib,
      `${Math.round(grown / mib)} MiB more while ${statuses.length / 2} MB came`,
    )

    disk.heal()
    await oracle.send(service, token, ['after'])
    t.same(await health(), { status: 'ok' }, 'it says when it is over')
    t.same(await oracle.violations(service), [])
    t.equal(await service.end(), 0)
  },
)
