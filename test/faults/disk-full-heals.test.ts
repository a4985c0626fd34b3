import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type ServiceProcess, startServiceOf } from '../service/service-process.ts'
import { noMounts as skip } from './small-file-system.ts'

/** Room that something else takes, and gives back later. */
const ballastMib = 4
const mount = `mount -t tmpfs -o size=14m logstrata "$0" && head -c ${ballastMib}M /dev/zero > "$0/ballast" && echo mounted && exec sleep 600`

/** The most that a service may take to notice that there is space again. */
const healsWithinMs = 5_000

t.test('a service starts on a full disk, and heals when space comes back', { skip }, async t => {
  const dataDir = t.testdir()
  // A process of its own holds the file system, so that it outlives the service.
  const holder = spawn('unshare', ['-rm', 'sh', '-c', mount, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  const inside = ['nsenter', '-t', `${holder.pid}`, '-U', '-m', '--preserve-credentials', '--']
  const start = async () => {
    const flags = ['--journal-file-bytes', '1MiB']
    const service = await startServiceOf(t, dataDir, { through: inside, flags })
    return service
  }

  const first = await start()
  const token = await first.makeToken()
  let acknowledged = 0
  const send = async (service: ServiceProcess, bytes: number) => {
    const body = {
      message: `event ${acknowledged}`,
      padding: randomBytes(bytes).toString('base64'),
    }
    const { status } = await service.call('POST', '/api/v1/webhook/event/log', { token, body })
    if (status === 200) acknowledged++
    return status
  }
  const fill = async (service: ServiceProcess) => {
    for (const bytes of [75_000, 5_000]) while ((await send(service, bytes)) === 200);
  }
  const findsAll = async (service: ServiceProcess, when: string) => {
    const { status, body } = await service.query('count(logs{message=~"event [0-9]+"})')
    t.match({ status, count: body.count }, { status: 200, count: acknowledged }, when)
  }
  const gauge = async (service: ServiceProcess) => {
    const { body } = await service.call('GET', '/metrics')
    return /^logstrata_health_reason\{reason="disk_full"\} (\d)$/m.exec(body)?.[1]
  }
  const saysOf = async (service: ServiceProcess, path: string) => {
    const { status, body } = await service.call('GET', path, { token: null })
    return { status, body }
  }
  t.same(await saysOf(first, '/ready'), { status: 200, body: { status: 'ready' } })
  t.equal(await gauge(first), '0')
  await fill(first)
  t.ok(acknowledged > 20, `${acknowledged} events fitted`)
  await findsAll(first, 'on the full disk')
  await first.end('SIGKILL')

  const second = await start()
  await findsAll(second, 'after a start on the full disk')
  await fill(second)
  // Sealing that did not succeed gives the space that it took back a moment later.
  let status = 200
  for (let i = 0; i < 5 && status === 200; i++) status = await send(second, 75_000)
  t.equal(status, 503, 'it is full')
  const unready = await saysOf(second, '/ready')
  t.match(unready, { status: 503, body: { code: 'not_ready' } })
  t.match(unready.body.reasons[0], /^disk_full: .*bytes are free/)
  const { status: healthStatus, body: health } = await saysOf(second, '/health')
  t.equal(healthStatus, 200)
  t.match(health.reasons[0], /^disk_full: .*bytes are free/)
  t.notMatch(JSON.stringify(health), dataDir, 'nobody is told paths')
  t.equal(await gauge(second), '1')

  fs.rmSync(join('/proc', `${holder.pid}`, 'root', dataDir, 'ballast'))
  const freedAt = performance.now()
  // Nobody sends: a proxy that asks for readiness would let nobody in before.
  while ((await saysOf(second, '/ready')).status !== 200) {
    if (performance.now() - freedAt > 2 * healsWithinMs) break
  }
  t.equal(await send(second, 1_000), 200, 'ready means that an event is taken')
  const elapsedMs = performance.now() - freedAt
  t.ok(elapsedMs < healsWithinMs, `healed after ${Math.round(elapsedMs)} ms`)
  await findsAll(second, 'with space again')
  t.equal(await second.end(), 0)
})
