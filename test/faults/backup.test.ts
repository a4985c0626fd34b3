import fs from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { missingParts } from '../../src/store/backup-manifest.ts'
import { runClient } from '../cli/client-process.ts'
import {
  adminKey,
  type ServiceProcess,
  startService,
  startServiceOf,
} from '../service/service-process.ts'
import { EventsOracle, metricBecomes } from './events-oracle.ts'

/** Sealing and retention have something to do all the time; compaction is in `link-records.test.ts`. */
const busy = ['--journal-file-bytes', '8KiB', '--retention-age', '1d']

/** Between an event of a sender and its next: all that is sent is looked for five times. */
const sendEveryMs = 5

function backUp(service: ServiceProcess, dataDir: string, target: string, ...flags: string[]) {
  const argv = ['backup', '--data-dir', dataDir, ...flags, target]
  return runClient(service.url, adminKey, argv)
}

/** Sends events of now, and old ones that retention deletes, until `stop` is called. */
function startLoad(service: ServiceProcess, token: string, oracle: EventsOracle) {
  let isOver = false
  const run = async (sender: number) => {
    for (let i = 0; !isOver; i++) {
      const ids = Array.from({ length: sender % 2 === 0 ? 40 : 1 }, (_, n) => `${sender}-${i}-${n}`)
      await oracle.send(service, token, ids)
      await pause(sendEveryMs)
      if (sender !== 0) continue
      // Deleted at any time, so they may be found or not, but never twice.
      const old = `old-${i}`
      oracle.sent.add(old)
      const body = JSON.stringify({ message: old, id: old, at: (i % 500) * 86_400 })
      const path = '/api/v1/webhook/event/logs?timestamp_field=at'
      await service.call('POST', path, { token, body })
    }
  }
  const senders = Promise.all([0, 1, 2, 3].map(run))
  return async () => {
    isOver = true
    await senders
  }
}

t.test('a backup under load has all that was acknowledged before it, once', async t => {
  const directory = t.testdir({ data: {} })
  const dataDir = join(directory, 'data')
  const service = await startServiceOf(t, dataDir, { flags: busy })
  const token = await service.makeToken()
  const oracle = new EventsOracle()
  const stop = startLoad(service, token, oracle)
  await metricBecomes(service, 'sealed_records_total', count => count > 0)
  await metricBecomes(service, 'deleted_segments_total', count => count > 0)

  const backups: { readonly target: string; readonly expected: EventsOracle }[] = []
  for (const name of ['first', 'second']) {
    const target = join(directory, name)
    const expected = new EventsOracle()
    for (const id of oracle.acknowledged) expected.acknowledged.add(id)
    const { code, stderr } = await backUp(service, dataDir, target)
    t.equal(code, 0, stderr)
    t.match(stderr, /backed up \d+ files, .*; verified/)
    for (const id of oracle.sent) expected.sent.add(id)
    backups.push({ target, expected })
  }
  await stop()
  t.same(fs.readdirSync(join(dataDir, 'snapshots')), [], 'no snapshot is left')
  t.equal(await service.end(), 0)
  // Without retention, which would go on between two pages of the answer.
  const original = await startServiceOf(t, dataDir)
  t.same((await oracle.violations(original)).slice(0, 5), [], 'the service itself lost nothing')
  t.equal(await original.end(), 0)

  for (const { target, expected } of backups) {
    t.ok(expected.acknowledged.size > 100, `${expected.acknowledged.size} events`)
    t.notOk(fs.existsSync(`${target}.unfinished`))
    t.same(missingParts(target), [], 'nothing of it has changed since')
    const restored = await startServiceOf(t, target, { flags: ['--journal-file-bytes', '32KiB'] })
    t.same((await expected.violations(restored)).slice(0, 5), [], target)
    const more = await restored.call('POST', '/api/v1/webhook/event/log', { token, body: { a: 1 } })
    t.equal(more.status, 200, 'the tokens are there')
    t.notOk(fs.existsSync(join(target, 'backup.json')), 'it is a live directory from now on')
    t.equal(await restored.end(), 0)
  }
})

t.test('without a service the directory is locked and copied, torn end and all', async t => {
  const directory = t.testdir({ data: {} })
  const dataDir = join(directory, 'data')
  const service = await startService(dataDir, { flags: ['--journal-file-bytes', '16KiB'] })
  const oracle = new EventsOracle()
  const token = await service.makeToken()
  for (let i = 0; i < 50; i++) {
    await oracle.send(
      service,
      token,
      Array.from({ length: 20 }, (_, n) => `${i}-${n}`),
    )
  }
  await service.end('SIGKILL')
  const target = join(directory, 'copy')
  const { code, stderr } = await runClient('http://127.0.0.1:9', adminKey, [
    ...['backup', '--data-dir', dataDir, target],
  ])
  t.equal(code, 0, stderr)
  t.notOk(fs.existsSync(join(dataDir, 'LOCK')), 'the lock is let go of')
  fs.rmSync(dataDir, { recursive: true })
  const restored = await startServiceOf(t, target)
  t.same((await oracle.violations(restored)).slice(0, 5), [])
  t.equal(await restored.end(), 0)
})

t.test('a restored directory says what of the backup is missing', async t => {
  const directory = t.testdir({ data: {} })
  const service = await startService(join(directory, 'data'))
  const oracle = new EventsOracle()
  await oracle.send(service, await service.makeToken(), ['a', 'b'])
  const target = join(directory, 'copy')
  t.equal((await backUp(service, join(directory, 'data'), target)).code, 0)
  await service.end()
  fs.rmSync(join(target, 'journal', '00000001.log'))
  const inspected = await runClient('http://127.0.0.1:9', '', ['inspect', '--verify', target])
  t.equal(inspected.code, 1)
  t.match(inspected.stdout, /00000001\.log: offset 0: of this backup, it is missing/)
  const restored = await startServiceOf(t, target)
  t.match(restored.output.stderr, /restored from a backup, whose file .*00000001\.log is missing/)
  t.equal((await restored.query('logs')).body.count, 0)
  t.equal(await restored.end(), 0)
})
