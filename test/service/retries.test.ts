/** A retry counts once, through the real service: over HTTP, through kill -9, restarts, sealing and a backup. */
import { join } from 'node:path'
import t from 'tap'
import { runBackup } from '../../src/cli/backup/backup.ts'
import { runInspect } from '../../src/cli/inspect/inspect.ts'
import { fakeTerminal } from '../cli/fake-terminal.ts'
import { metricBecomes } from '../faults/events-oracle.ts'
import { adminKey, type ServiceProcess, startService } from './service-process.ts'

const flags = ['--journal-file-bytes', '4KiB', '--scan-threads', '1']
const many = '/api/v1/webhook/event/logs'
const half = '{"message":"good"}\n{"message":\n{"message":"good too"}'
const bulk =
  '{"create":{"_index":"logs","_id":"1"}}\n{"message":"a document"}\n{"index":{"_index":"logs","_id":"2"}}\n{"message":"another"}\n'

async function sendAll(service: ServiceProcess, token: string) {
  const headers = { 'idempotency-key': '"part-good"' }
  const events = await service.call('POST', many, { token, body: half, headers })
  const documents = await service.call('POST', '/elastic/_bulk', { token, body: bulk })
  return [events, documents].map(({ status, body }) => ({ status, body }))
}

t.test('the first answer, and one record, whatever happens between two tries', async t => {
  const dataDir = join(t.testdir({ data: {} }), 'data')
  let service = await startService(dataDir, { flags })
  t.teardown(() => service.end('SIGKILL'))
  const token = await service.makeToken()
  const another = await service.makeToken('shop')
  const first = await sendAll(service, token)
  t.match(first, [
    { status: 200, body: { accepted: 2, rejected: 1, errors: [{ index: 1 }] } },
    { status: 200, body: { errors: false, items: [{ create: { status: 201 } }, {}] } },
  ])
  const isOnce = async (moment: string) => {
    t.same(await sendAll(service, token), first, `${moment}: the first answer`)
    const { body } = await service.query('logs{service.name="checkout"} |~ "good|document|another"')
    t.equal(body.count, 4, `${moment}: once`)
  }
  await isOnce('at once')
  await service.end('SIGKILL')
  service = await startService(dataDir, { flags })
  await isOnce('after kill -9')
  for (let i = 0; i < 60; i++) {
    await service.call('POST', many, { token, body: { message: `more ${'x'.repeat(400)}` } })
  }
  await metricBecomes(service, 'segment_records', count => count > 20)
  await isOnce('sealed')
  await metricBecomes(service, 'compactions_total', count => count > 0)
  await isOnce('compacted')

  const target = join(t.testdirName, 'backup')
  const argv = ['--data-dir', dataDir, '--url', service.url, '--key', adminKey, target]
  t.equal(await runBackup(argv, fakeTerminal()), 0)
  t.equal(await runInspect(['--verify', target], fakeTerminal()), 0)
  await service.end('SIGKILL')
  service = await startService(target, { flags })
  await isOnce('in a backup')
  t.same(await sendAll(service, another), first, 'another token has keys of its own')
  t.equal((await service.query('logs{service.name="shop"}')).body.count, 4)
})
