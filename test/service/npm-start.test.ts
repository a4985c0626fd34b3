/** `npm start` as people and supervisors run it: signals go to npm, and the service is what has to end. */
import { once } from 'node:events'
import fs from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { until } from '../until.ts'
import {
  gatherOutput,
  type ServiceProcess,
  spawnService,
  startService,
  startServiceOf,
} from './service-process.ts'

/** Of `npm start`, which leads a process group, as at a terminal: `pid` and `end` are npm's. */
async function npmStart(t: Test, dataDir: string): Promise<ServiceProcess> {
  const command = ['npm', 'start', '--']
  const service = await startService(dataDir, { command, through: ['setsid'] })
  t.teardown(() => {
    try {
      process.kill(-service.pid, 'SIGKILL')
    } catch {
      // All of the group has ended, as it should.
    }
  })
  return service
}

const body = JSON.stringify({ message: 'under way' })

/** An event whose last byte is yet to come. Call the result for that; it resolves with the status. */
async function beginEvent(service: ServiceProcess): Promise<() => Promise<number>> {
  const token = await service.makeToken()
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
  }
  const path = `${service.url}/api/v1/webhook/event/log`
  const sent = request(path, { method: 'POST', headers })
  const answer = once(sent, 'response')
  answer.catch(() => undefined) // Whoever waits for it hears of it.
  await new Promise(resolve => sent.write(body.slice(0, -1), resolve))
  await service.call('GET', '/health') // It came later: by its answer the first is known, too.
  return async () => {
    sent.end(body.slice(-1))
    const [response] = await answer
    response.resume()
    return response.statusCode
  }
}

/** Resolves when the service takes nothing new any more. */
async function untilStopping(service: ServiceProcess): Promise<void> {
  const isRefused = () =>
    fetch(`${service.url}/health`).then(
      ({ status }) => status === 503,
      () => true,
    )
  while (!(await isRefused())) await sleep(5)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`${signal} to npm answers what is under way, ends both with 0, and frees all`, async t => {
    const dataDir = t.testdir()
    const service = await npmStart(t, dataDir)
    const finish = await beginEvent(service)
    const exit = service.end(signal)
    await untilStopping(service)
    t.equal(await finish(), 200)
    t.equal(await exit, 0)

    const again = await npmStart(t, dataDir)
    t.equal((await again.query('logs |= "under way"')).body.count, 1)
    t.equal(await again.end(signal), 0)
    t.notMatch(again.output.stderr, /waiting/, 'there was nobody to wait for')
  })
}

t.test('Ctrl-C at a terminal, which reaches npm and the service, is one signal', async t => {
  const dataDir = t.testdir()
  const service = await npmStart(t, dataDir)
  const finish = await beginEvent(service)
  process.kill(-service.pid, 'SIGINT')
  await untilStopping(service)
  t.equal(await finish(), 200)
  t.equal(await service.exit, 0)
  t.notOk(fs.existsSync(join(dataDir, 'LOCK')))
})

t.test('a start waits for a service that is ending, and says so', async t => {
  const dataDir = t.testdir()
  const service = await startServiceOf(t, dataDir)
  const finish = await beginEvent(service)
  const exit = service.end()
  await untilStopping(service)
  const next = spawnService(['--data-dir', dataDir])
  const output = gatherOutput(next)
  const exitOfNext = once(next, 'exit')
  await until(() => next.exitCode !== null || /is ending: waiting/.test(output.stderr))
  finish().catch(() => undefined) // It may have taken longer than a stop waits.
  t.equal(await exit, 0)
  await until(() => next.exitCode !== null || /^listening on /m.test(output.stdout))
  next.kill()
  t.equal((await exitOfNext)[0], 0)
  t.match(output.stderr, `process ${service.pid} has the data directory and is ending`)
  t.same(
    fs.readdirSync(dataDir).filter(name => name.startsWith('LOCK')),
    [],
  )
})
