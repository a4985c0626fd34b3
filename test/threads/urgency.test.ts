/** What the system says of threads: how they give way, and the niceness of a running service's. */
import fs from 'node:fs'
import t from 'tap'
import { giveWay } from '../../src/threads/urgency.ts'
import { startServiceOf } from '../service/service-process.ts'

/** In the order in which they were started. */
function threadsOf(pid: number): { readonly name: string; readonly niceness: number }[] {
  const tasks = `/proc/${pid}/task`
  const ids = fs.readdirSync(tasks).sort((a, b) => Number(a) - Number(b))
  return ids.map(id => {
    const stat = fs.readFileSync(`${tasks}/${id}/stat`, 'utf8')
    // Behind the name, which may hold anything: see proc(5), fields 3 and 19.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      niceness: +fields[16]!,
    }
  })
}

/** How often the thread that asks has left its core by itself: see proc(5). */
function sleepCount(): number {
  const status = fs.readFileSync('/proc/thread-self/status', 'utf8')
  return Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(status)?.[1])
}

t.test('who gives way leaves the core, each time', async t => {
  const before = sleepCount()
  for (let i = 0; i < 100; i++) giveWay()
  t.ok(sleepCount() - before >= 100)
})

t.test('V8’s threads are as urgent as the main one and the disk’s, scan threads less', async t => {
  const service = await startServiceOf(t, t.testdir())
  await service.send(await service.makeToken(), [{ message: 'for a scan thread' }])
  t.equal((await service.query('logs |~ "s.an"')).body.count, 1)
  const [main, v8, ...others] = threadsOf(service.pid)
  t.equal(main?.niceness, 0)
  t.equal(v8?.niceness, 0, 'what compiles for scan threads waits for none of them')
  const disk = others.filter(({ name }) => name === 'libuv-worker')
  t.ok(disk.length > 0)
  t.ok(disk.every(({ niceness }) => niceness === 0))
  t.ok(others.some(({ niceness }) => niceness === 3))
})
