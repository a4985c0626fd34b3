import t from 'tap'
import { Health } from '../../../src/health.ts'
import { call } from '../call.ts'
import { startServer } from '../stand-ins.ts'

t.test('health, readiness and metrics say how it is', async t => {
  const health = new Health()
  const { url } = await startServer(t, { health })
  t.same(await call(url, 'GET /health'), [200, { status: 'ok' }])
  t.same(await call(url, 'GET /ready'), [200, { status: 'ready' }])
  health.raise('sealing_failing', 'no space')
  const reasons = ['sealing_failing: no space']
  t.same(await call(url, 'GET /health'), [200, { status: 'degraded', reasons }])
  t.same(await call(url, 'GET /ready'), [200, { status: 'ready', reasons }], 'events are taken')
  let room: string | undefined = '0 bytes are free'
  health.watch('disk_full', async () => room)
  reasons.unshift('disk_full: 0 bytes are free')
  t.same(await call(url, 'GET /health'), [200, { status: 'degraded', reasons }])
  const [status, problem] = await call(url, 'GET /ready')
  t.equal(status, 503)
  t.match(problem, { code: 'not_ready', detail: /disk_full: 0 bytes are free$/, reasons })
  room = undefined
  health.clear('sealing_failing')
  t.same(await call(url, 'GET /ready'), [200, { status: 'ready' }])
  const metrics = await fetch(`${url}/metrics`)
  t.equal(metrics.headers.get('content-type'), 'text/plain; version=0.0.4')
  t.equal(await metrics.text(), 'up 1\n')
})
