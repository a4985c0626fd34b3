import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { startServiceOf } from '../service/service-process.ts'
import { FaultyDisk, noFaultyDisk } from './faulty-disk.ts'

/** More calls than a test makes. */
const always = { nth: 1, times: 1_000_000 }

/** In such a time what was sent is sealed, or tried again, ms. */
const patienceMs = 60_000

t.test(
  'what fails has a name in health, readiness and metrics',
  { skip: noFaultyDisk },
  async t => {
    const directory = t.testdir({ data: {} })
    const disk = new FaultyDisk(directory)
    t.teardown(() => disk.close())
    const service = await startServiceOf(t, join(directory, 'data'), {
      flags: ['--journal-file-bytes', '4KiB'],
      environment: disk.environment,
    })
    const token = await service.makeToken()
    const send = async () => {
      const body = { message: 'x'.repeat(3_000) }
      return (await service.call('POST', '/api/v1/webhook/event/log', { token, body })).status
    }
    const says = async (path: string) => {
      const { status, body } = await service.call('GET', path, { token: null })
      const names = (body.reasons ?? []).map((reason: string) => reason.split(':')[0])
      return { status, names }
    }
    const raised = async () => {
      const { body } = await service.call('GET', '/metrics')
      const gauges = body.matchAll(/^logstrata_health_reason\{reason="(.*)"\} 1$/gm)
      return [...gauges].map(([, name]) => name)
    }
    const comesTo = async (names: string[]) => {
      const giveUpAt = performance.now() + patienceMs
      const isSo = async () => (await says('/health')).names.join() === names.join()
      while (!(await isSo()) && performance.now() < giveUpAt) await delay(50)
      t.same(await says('/health'), { status: 200, names })
      t.same(await raised(), names)
    }
    await comesTo([])

    await t.test('sealing that fails', async t => {
      disk.fail({ part: '/data/segments', call: 'sync', failure: 'EIO', ...always })
      for (let i = 0; i < 4; i++) t.equal(await send(), 200)
      await comesTo(['sealing_failing'])
      t.same(await says('/ready'), { status: 200, names: ['sealing_failing'] }, 'events are taken')
      t.equal(await send(), 200)
      disk.heal()
      await comesTo([])
    })

    await t.test('a disk that takes no events, while it says that it has room', async t => {
      disk.fail({ part: '/data/journal/', call: 'write', failure: 'ENOSPC', ...always })
      t.equal(await send(), 503)
      await comesTo(['disk_full'])
      t.same(await says('/ready'), { status: 503, names: ['disk_full'] })
      disk.heal()
      await comesTo([])
      t.same(await says('/ready'), { status: 200, names: [] })
      t.equal(await send(), 200)
    })

    await t.test('a catalog that cannot be changed', async t => {
      disk.fail({ part: '/data/catalog.lmdb', call: 'sync', failure: 'EIO', ...always })
      const body = { serviceName: 'a', environment: 'b' }
      const path = '/api/v1/settings/ingestion-tokens'
      t.equal((await service.call('POST', path, { body })).status, 503)
      await comesTo(['catalog_failing'])
      t.same(await says('/ready'), { status: 200, names: ['catalog_failing'] }, 'events are taken')
      disk.heal()
      await comesTo([])
      t.equal((await service.call('POST', path, { body })).status, 201)
    })
  },
)
