import t from 'tap'
import { adminKey, startService } from './service-process.ts'

t.test('when the last backup was taken is known after a restart', async t => {
  const dataDir = t.testdir()
  const first = await startService(dataDir)
  const lastAt = async ({ call }: Pick<typeof first, 'call'>) =>
    (await call('GET', '/api/v1/settings/storage')).body.backups.lastAt
  t.equal(await lastAt(first), null)
  const before = Date.now()
  const stop = new AbortController()
  const response = await fetch(`${first.url}/api/v1/settings/backup`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
    body: '{}',
    signal: stop.signal,
  })
  await response.body?.getReader().read()
  const at = await lastAt(first)
  t.ok(at >= before && at <= Date.now(), `${at}`)
  stop.abort()
  await first.end()
  const second = await startService(dataDir)
  t.equal(await lastAt(second), at)
  await second.end()
})
