/** Large bodies share the turns of the event loop: on stand-ins, and over real connections. */
import { Agent, request } from 'node:http'
import t from 'tap'
import { SharedReading } from '../../../src/http/body/shared-reading.ts'
import { ingestionSecret, startServer } from '../stand-ins.ts'

const mib = 1024 * 1024

class StandInResponse {
  isPaused = false
  resumedCount = 0

  pause() {
    this.isPaused = true
  }

  resume() {
    this.isPaused = false
    this.resumedCount++
  }
}

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

const standIns = (count: number) => Array.from({ length: count }, () => new StandInResponse())
const pausedOf = (all: readonly StandInResponse[]) =>
  all.flatMap(({ isPaused }, i) => (isPaused ? [i] : []))

t.test('beyond the bound connections are paused, and two a turn go on', async t => {
  const reading = new SharedReading()
  const all = standIns(7)
  for (const response of all) reading.add(response, mib / 2)
  t.same(pausedOf(all), [2, 3, 4, 5, 6], 'a mebibyte is read')
  await nextTurn()
  t.same(pausedOf(all), [4, 5, 6])
  reading.add(all[0]!, 2 * mib)
  t.same(pausedOf(all), [0, 4, 5, 6], 'the bound is for each turn')
  await nextTurn()
  t.same(pausedOf(all), [5, 6], 'the one that began first, and the one that has waited longest')
  await nextTurn()
  t.same(pausedOf(all), [])
  reading.add(all[1]!, mib)
  t.same(pausedOf(all), [], 'nothing is left of turns before')
})

t.test('who began first is whole first, and nobody is left behind', async t => {
  const reading = new SharedReading()
  const all = standIns(12)
  const broughtBy = all.map(() => 1)
  for (const response of all) reading.add(response, mib)
  for (let turn = 0; turn < 11; turn++) {
    await nextTurn()
    all.forEach((response, i) => {
      if (i === 0 || response.isPaused) return
      broughtBy[i]!++
      reading.add(response, 2 * mib)
    })
    if (!all[1]!.isPaused) broughtBy[1]!++
  }
  t.ok(broughtBy[1]! > 6, `the first of those that are paused had its turn in most: ${broughtBy}`)
  t.ok(
    broughtBy.slice(1).every(times => times > 1),
    `each had one: ${broughtBy}`,
  )
})

t.test('the main thread rests from reading when very many are paused', async t => {
  const reading = new SharedReading()
  const all = standIns(60)
  for (const response of all) reading.add(response, mib)
  await nextTurn()
  const startedAt = performance.now()
  t.equal(pausedOf(all).length, 60 - 1 - 2)
  while (pausedOf(all).length > 55) await nextTurn()
  const restedMs = performance.now() - startedAt
  t.ok(restedMs >= 2.5, `the next two go on ${restedMs} ms later`)
  while (pausedOf(all).length > 0) await new Promise(resolve => setTimeout(resolve, 1))
  t.pass('and all in the end')
})

t.test('whose body is over goes on at once, and who has gone is not touched', async t => {
  const reading = new SharedReading()
  const [over, gone, open] = [new StandInResponse(), new StandInResponse(), new StandInResponse()]
  for (const response of [over, gone, open]) reading.add(response, 2 * mib)
  reading.end(over)
  reading.end(over)
  t.equal(over.resumedCount, 1)
  reading.delete(gone)
  await nextTurn()
  await nextTurn()
  t.same(
    [over, gone, open].map(({ resumedCount }) => resumedCount),
    [1, 0, 1],
  )
})

t.test('bodies in many pieces come whole, and their connections take the next request', async t => {
  const { port, ingested } = await startServer(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  t.teardown(() => agent.destroy())
  const piece = Buffer.alloc(10_000, 7)
  const post = () =>
    new Promise<number>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${ingestionSecret}`,
        'Content-Type': 'application/json',
      }
      const path = '/api/v1/webhook/event/logs'
      const sent = request({ port, agent, method: 'POST', path, headers }, answer => {
        answer.resume().on('end', () => resolve(answer.statusCode!))
      })
      sent.on('error', reject)
      for (let i = 0; i < 40; i++) sent.write(piece) // One packet brings several of them.
      sent.end()
    })
  const statuses = await Promise.all(Array.from({ length: 200 }, post))
  t.same(new Set(statuses), new Set([200]))
  t.same(new Set(ingested.map(({ length }) => length)), new Set([40 * piece.length]))
  t.equal(ingested.length, 200)
})
