import fs from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { startServiceOf } from '../service/service-process.ts'
import { EventsOracle, metricBecomes } from './events-oracle.ts'

const preload = pathToFileURL(join(import.meta.dirname, './dying-workers.ts')).href
const causes = ['exit', 'throw', 'memory'] as const

t.test('threads that die', async t => {
  const directory = t.testdir({ data: {} })
  const orders = join(directory, 'orders')
  const environment = { DYING_WORKERS: orders, NODE_OPTIONS: `--no-warnings --import=${preload}` }
  const flags = ['--scan-threads', '2', '--scan-cache-bytes', '0']
  const service = await startServiceOf(t, join(directory, 'data'), { flags, environment })
  const token = await service.makeToken()
  const oracle = new EventsOracle()
  const ids = (name: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${name}-${i}-${'x'.repeat(100)}`)
  await oracle.send(service, token, ids('first', 400))
  const isDead = () => !fs.existsSync(orders)
  let stored = 400

  for (const cause of causes) {
    await t.test(`a query whose thread dies (${cause}) fails alone`, async t => {
      fs.writeFileSync(orders, `readSync ${cause}`)
      const dying = service.query('logs |~ "first-[0-9]+"')
      const during = oracle.send(service, token, [`during-${cause}`])
      const { status, body } = await dying
      t.ok(isDead(), 'a thread died')
      t.ok(status === 200 ? body.count >= 400 : status >= 500, `it was answered ${status}`)
      t.notMatch(JSON.stringify(body), /worker|\.ts/, 'without a word on our insides')
      await during
      stored++
      t.equal(oracle.acknowledged.size, stored, 'events are taken meanwhile')
      const next = await Promise.all(
        [1, 2, 3, 4].map(() => service.query('logs |~ "first-[0-9]+"')),
      )
      for (const answer of next) t.match(answer, { status: 200, body: { count: 400 } })
    })
  }

  for (const cause of ['exit', 'throw']) {
    await t.test(
      `a large body whose thread dies (${cause}) is refused, the next taken`,
      async t => {
        fs.writeFileSync(orders, `transfer ${cause}`)
        const dying = ids(`dying-${cause}`, 1_000)
        await oracle.send(service, token, dying)
        t.ok(isDead(), 'a thread died')
        t.notOk(oracle.acknowledged.has(dying[0]!))
        await oracle.send(service, token, ids(`next-${cause}`, 1_000))
        stored += 1_000
        t.equal(oracle.acknowledged.size, stored)
      },
    )
  }

  await t.test('a file whose sealing dies is sealed by the next thread', async t => {
    await service.end('SIGKILL') // A clean stop would seal the file.
    fs.writeFileSync(orders, 'fdatasyncSync exit')
    const again = await startServiceOf(t, join(directory, 'data'), { environment })
    await metricBecomes(again, 'journal_unsealed_files', count => count === 0)
    t.ok(isDead(), 'a thread died')
    t.same(await oracle.violations(again), [])
    t.equal(await again.end(), 0)
  })
})
