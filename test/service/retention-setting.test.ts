import t from 'tap'
import { limits } from '../../src/limits.ts'
import { dayMs } from '../../src/time-units.ts'
import { directoryOfProcess } from '../directory-of-process.ts'
import { until } from '../until.ts'
import { type ServiceProcess, startService } from './service-process.ts'

const path = '/api/v1/settings/retention'
const small = ['--journal-file-bytes', '4KiB', '--journal-file-age', '1s']

function keeping(service: ServiceProcess) {
  return {
    shown: async () => (await service.call('GET', path)).body,
    change: async (body: object) => service.call('PUT', path, { body }),
  }
}

/** One record of each of the last days, each day a segment of its own. */
async function sendDays(service: ServiceProcess, days: number): Promise<void> {
  const token = await service.makeToken('kept', 'prod')
  const body = Array.from({ length: days }, (_, back) => ({
    message: 'x'.repeat(2_000),
    time: Date.now() - back * dayMs - 60_000,
  }))
  await service.send(token, body, 'time')
}

t.test(
  'a bound that is set deletes at once, is told of before, and holds after a start',
  async t => {
    const dataDir = directoryOfProcess('retention-setting')
    let service = await startService(dataDir, { flags: small })
    t.teardown(() => service.end())
    await sendDays(service, 5)
    await until(async () => {
      const { journal, segments } = (await service.call('GET', '/api/v1/settings/storage')).body
      return journal.records === 0 && segments.records === 5
    })
    const counted = async () => (await service.query('count(logs{service.name="kept"})')).body.count
    const { shown, change } = keeping(service)
    t.match(await shown(), { ageMs: null, bytes: null, fixed: [], deletes: { records: 0 } })

    const wanted = { ageMs: 2.5 * dayMs, bytes: null }
    // A segment that is in sight may not be settled yet, and stays until it is.
    const tried = () => change({ ...wanted, isTrial: true })
    await until(async () => (await tried()).body.deletes.segments > 1)
    const trial = await tried()
    t.match(trial.body, { ageMs: wanted.ageMs, deletes: { segments: 2, records: 2 } })
    t.ok(trial.body.deletes.latest < Date.now() - wanted.ageMs)
    t.ok(trial.body.deletes.earliest < trial.body.deletes.latest)
    t.match(await shown(), { ageMs: null }, 'a trial changes nothing')
    t.equal(await counted(), 5)

    t.match((await change(wanted)).body.deletes, { segments: 2, records: 2 })
    await until(async () => (await counted()) === 3)
    t.match((await service.call('GET', '/api/v1/settings/storage')).body.retention, wanted)

    await service.end()
    service = await startService(dataDir, { flags: small })
    t.match(await keeping(service).shown(), { ...wanted, fixed: [] })

    await service.end()
    service = await startService(dataDir, { flags: [...small, '--retention-age', '30d'] })
    const fixed = keeping(service)
    t.match(await fixed.shown(), { ageMs: 30 * dayMs, fixed: ['ageMs'] }, 'a flag holds instead')
    const refused = await fixed.change(wanted)
    t.equal(refused.status, 409)
    t.match(refused.body, { code: 'retention_fixed', field: 'ageMs' })
    t.equal((await fixed.change({ ageMs: 30 * dayMs, bytes: 2 ** 30 })).status, 200)

    await service.end()
    service = await startService(dataDir, { flags: small })
    t.match(
      await keeping(service).shown(),
      { ageMs: wanted.ageMs, bytes: 2 ** 30 },
      'what was set is back',
    )
  },
)

t.test('bounds of retention are taken within their own bounds only', async t => {
  const service = await startService(directoryOfProcess('retention-bounds'))
  t.teardown(() => service.end())
  const { change } = keeping(service)
  const { retentionAgeMsMin, retentionAgeMsMax, retentionBytesMin, retentionBytesMax } = limits
  const isTaken = async (ageMs: number | null, bytes: number | null, field?: string) => {
    const { status, body } = await change({ ageMs, bytes, isTrial: true })
    t.equal(status, field === undefined ? 200 : 400)
    t.equal(body.field, field)
  }
  await isTaken(retentionAgeMsMin, retentionBytesMin)
  await isTaken(retentionAgeMsMax, retentionBytesMax)
  await isTaken(retentionAgeMsMin - 1, null, 'ageMs')
  await isTaken(retentionAgeMsMax + 1, null, 'ageMs')
  await isTaken(null, retentionBytesMin - 1, 'bytes')
  await isTaken(null, retentionBytesMax + 1, 'bytes')
  t.equal((await change({ ageMs: null })).status, 400, 'both are said')

  const token = await service.makeKey('editor')
  const sent = { token, body: { ageMs: null, bytes: null } }
  t.equal((await service.call('PUT', path, sent)).status, 403, 'an editor may not')
  t.equal((await service.call('GET', path, { token })).status, 200, 'but look')
})
