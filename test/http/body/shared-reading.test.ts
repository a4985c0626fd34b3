/** Large bodies share the turns of the event loop: on stand-ins, and over real connections. */
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { SharedReading } from '../../../src/http/body/shared-reading.ts'
import { connectRaw, postHead, readToEnd, statusOf } from '../raw-client.ts'
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

/** All that comes in a turn is read before anybody is paused. */
const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

const standIns = (count: number) => Array.from({ length: count }, () => new StandInResponse())
const pausedOf = (all: readonly StandInResponse[]) =>
  all.flatMap(({ isPaused }, i) => (isPaused ? [i] : []))

t.test('beyond the bound connections are paused, and two a turn go on', async t => {
  const reading = new SharedReading()
  const all = standIns(7)
  for (const response of all) reading.add(response, mib / 2, 'kept')
  t.same(pausedOf(all), [], 'the turn goes on')
  await nextTurn()
  t.same(pausedOf(all), [4, 5, 6], 'beyond a mebibyte all but two')
  reading.add(all[0]!, 2 * mib, 'kept')
  await nextTurn()
  t.same(pausedOf(all), [5, 6], 'the one that began first, and the one that has waited longest')
  await nextTurn()
  t.same(pausedOf(all), [])
  reading.add(all[1]!, mib, 'kept')
  t.same(pausedOf(all), [], 'nothing is left of turns before')
})

t.test('who began first is whole first, and nobody is left behind', async t => {
  const reading = new SharedReading()
  const all = standIns(12)
  const broughtBy = all.map(() => 1)
  for (const response of all) reading.add(response, mib, 'kept')
  for (let turn = 0; turn < 11; turn++) {
    await nextTurn()
    all.forEach((response, i) => {
      if (i === 0 || response.isPaused) return
      broughtBy[i]!++
      reading.add(response, 2 * mib, 'kept')
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
  for (const response of all) reading.add(response, mib, 'kept')
  await nextTurn()
  const startedAt = performance.now()
  t.equal(pausedOf(all).length, 60 - 1 - 2)
  while (pausedOf(all).length > 55) await nextTurn()
  const restedMs = performance.now() - startedAt
  t.ok(restedMs >= 2.5, `the next two go on ${restedMs} ms later`)
  while (pausedOf(all).length > 0) await new Promise(resolve => setTimeout(resolve, 1))
  t.pass('and all in the end')
})

t.test(
  'of very many that are kept, the first becomes whole, and a fourth as often another',
  async t => {
    const reading = new SharedReading()
    const all = standIns(30)
    const broughtBy = all.map(() => 1)
    for (const response of all) reading.add(response, mib, 'kept')
    while (broughtBy[1]! < 9) {
      await pause(1)
      all.forEach((response, i) => {
        if (i === 0 || response.isPaused) return
        broughtBy[i]!++
        reading.add(response, 2 * mib, 'kept')
      })
    }
    const beside = broughtBy.slice(2).filter(times => times > 1).length
    t.ok(beside >= 2 && beside <= 4, `${broughtBy}`)
  },
)

t.test('whose body is over in the turn, and who has gone, is not touched', async t => {
  const reading = new SharedReading()
  const all = standIns(6)
  for (const response of all) reading.add(response, 2 * mib, 'kept')
  reading.delete(all[0]!)
  await nextTurn()
  const gone = pausedOf(all)[0]!
  reading.delete(all[gone]!)
  await nextTurn()
  await nextTurn()
  const resumed = all.map(({ resumedCount }) => resumedCount)
  t.same([all[0]!.isPaused, resumed[0]], [false, 0], 'neither paused nor resumed')
  t.same([all[gone]!.isPaused, resumed[gone]], [true, 0])
  t.same(resumed.filter(count => count === 1).length, 4, 'all others go on')
})

t.test('it is crowded while 32 that are kept wait, whatever becomes of others', async t => {
  const reading = new SharedReading()
  const [kept, thrownAway] = [standIns(33), standIns(100)]
  for (const response of thrownAway) reading.add(response, mib, 'thrown-away')
  for (const response of kept.slice(0, 31)) reading.add(response, 1, 'kept')
  t.equal(reading.isCrowded, false)
  reading.add(kept[31]!, 1, 'kept')
  t.equal(reading.isCrowded, true)
  reading.delete(kept[31]!)
  t.equal(reading.isCrowded, false, 'it has gone')
  reading.add(kept[32]!, 1, 'kept')
  await nextTurn()
  t.equal(reading.isCrowded, true, 'all wait, paused by now')
  while (kept.every(({ resumedCount }) => resumedCount === 0)) await pause(1)
  t.equal(reading.isCrowded, false, 'one of them goes on')
})

t.test('it is crowded while fewer wait that have brought 8 MiB', async t => {
  const reading = new SharedReading()
  const [kept, thrownAway] = [standIns(9), standIns(2)]
  for (const response of thrownAway) reading.add(response, mib, 'thrown-away')
  for (const response of kept.slice(0, 7)) reading.add(response, mib, 'kept')
  t.equal(reading.isCrowded, false)
  reading.add(kept[0]!, mib, 'kept')
  t.equal(reading.isCrowded, false, 'a further piece of one of them')
  reading.add(kept[7]!, mib, 'kept')
  t.equal(reading.isCrowded, true)
  reading.delete(kept[7]!)
  t.equal(reading.isCrowded, false, 'it has gone')
  reading.add(kept[8]!, mib, 'kept')
  t.equal(reading.isCrowded, true)
  while (kept.every(({ resumedCount }) => resumedCount === 0)) await pause(1)
  t.equal(reading.isCrowded, false, 'one of them goes on')
})

t.test(
  'of very many encoded bodies that come at once some are taken, all others called back',
  async t => {
    const { port, ingested } = await startServer(t)
    const body = gzipSync(randomBytes(600_000))
    const head = postHead('/api/v1/webhook/event/logs', ingestionSecret, [
      'Content-Encoding: gzip',
      `Content-Length: ${body.length}`,
    ])
    const sockets = await Promise.all(Array.from({ length: 240 }, () => connectRaw(port, head)))
    const answers = sockets.map(readToEnd)
    for (const socket of sockets) socket.write(body)
    const received = await Promise.all(answers)
    const taken = received.filter(answer => statusOf(answer) === 200)
    const refused = received.filter(answer => statusOf(answer) === 429)
    t.equal(taken.length + refused.length, 240, 'each is answered')
    t.ok(taken.length >= 24, `${taken.length} are taken`)
    const crowdedOut = refused.filter(answer => answer.includes('very many other bodies'))
    t.ok(crowdedOut.length > 0, `${crowdedOut.length} of ${refused.length} are not even kept`)
    for (const answer of refused) t.match(answer, /^retry-after: ([1-9]|[12]\d|30)\r$/im)
    for (const answer of refused) t.match(answer, /"code": ?"ingest_overloaded"/)
    t.equal(ingested.length, taken.length)
    const later = await connectRaw(port, head)
    later.write(body)
    t.equal(statusOf(await readToEnd(later)), 200, 'and one that comes then is taken')
  },
)

/** Posts the pieces as one body; returns the status. */
function post(port: number, agent: Agent, pieces: readonly Buffer[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${ingestionSecret}`,
      'Content-Type': 'application/json',
    }
    const path = '/api/v1/webhook/event/logs'
    const sent = request({ port, agent, method: 'POST', path, headers }, answer => {
      answer.resume().on('end', () => resolve(answer.statusCode!))
    })
    sent.on('error', reject)
    for (const piece of pieces) sent.write(piece)
    sent.end()
  })
}

t.test('bodies in many pieces come whole, and their connections take the next request', async t => {
  const { port, ingested } = await startServer(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  t.teardown(() => agent.destroy())
  // One packet brings several of them.
  const pieces = Array.from({ length: 40 }, () => Buffer.alloc(10_000, 7))
  const statuses = await Promise.all(Array.from({ length: 200 }, () => post(port, agent, pieces)))
  t.same(new Set(statuses), new Set([200]))
  t.same(new Set(ingested.map(({ length }) => length)), new Set([400_000]))
  t.equal(ingested.length, 200)
})
