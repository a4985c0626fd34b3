/** Live tails of the real service, read by a client library for event streams. */
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { type Asked, openTail } from './open-tail.ts'
import { type ServiceProcess, startService, startServiceOf } from './service-process.ts'
import { sharedSender } from './shared-service.ts'

const one = '/api/v1/webhook/event/log'
const keys = '/api/v1/settings/api-keys'

/** All of a service that only one test sends as. */
const of = (name: string) => ({ query: `logs{service.name="${name}"}` })

/** Follows all records, as a client does; ends with the test. */
async function follow(t: Test, service: ServiceProcess, asked?: Asked) {
  const tail = await openTail(service, asked)
  t.teardown(tail.stop)
  return {
    ...tail,
    /** The messages of the next `count` records. */
    messages: async (count: number) => (await tail.records(count)).map(({ message }) => message),
  }
}

const names = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => `m${first + i}`)

async function send(service: ServiceProcess, token: string, messages: readonly string[]) {
  for (const message of messages) {
    await service.send(token, { message })
  }
}

/** Resolves when the service has so many clients that tail. */
async function areTailing({ call }: ServiceProcess, count: number): Promise<void> {
  const metrics = async () => (await call('GET', '/metrics')).body
  while (!(await metrics()).includes(`logstrata_tailing_clients ${count}\n`)) await sleep(20)
}

t.test('who tails while a sender posts gets each record once, in order', async t => {
  const service = await startServiceOf(t, t.testdir(), { flags: ['--journal-file-bytes', '64KiB'] })
  const token = await service.makeToken()
  const sending = send(service, token, names(0, 300))
  const readings = [0, 1, 2, 3].map(async () => {
    const tail = await follow(t, service, { parameters: { last: '1000' } })
    return tail.messages(300)
  })
  await sending
  for (const messages of await Promise.all(readings)) t.same(messages, names(0, 300))
})

t.test('a client that comes back goes on behind its last event, across a restart', async t => {
  const dataDir = t.testdir()
  const first = await startService(dataDir)
  const token = await first.makeToken()
  await send(first, token, names(0, 5))
  const tail = await follow(t, first, { parameters: { last: '2' } })
  t.match(await tail.next(), { event: 'record', data: /"message":"m3"/ })
  const seen = await tail.next()
  tail.stop()
  await send(first, token, names(5, 3))
  await first.end()
  const second = await startServiceOf(t, dataDir, { flags: ['--journal-file-age', '1s'] })
  await send(second, token, names(8, 3))
  const metrics = async () => (await second.call('GET', '/metrics')).body
  while (!/logstrata_segment_files [1-9]/.test(await metrics())) await sleep(50)
  await send(second, token, names(11, 2))
  const again = await follow(t, second, { lastEventId: seen!.id! })
  t.same(await again.messages(8), names(5, 8))
  await send(second, token, ['last'])
  t.same(await again.messages(1), ['last'])
})

t.test(
  'a tail of one kind of messages has these and no others, from before and from now on',
  async t => {
    const { service, token } = await sharedSender('kinds')
    const messages = ['user anna paid 3 EUR', 'disk sda1 is full', 'user bert paid 14 EUR', 'done']
    await send(service, token, messages)
    const { body } = await service.call('POST', '/api/v1/query/logs/patterns', {
      body: { query: of('kinds').query, startTime: 0, endTime: Date.now() + 60_000 },
    })
    const paid = body.patterns[0]
    t.match(paid, { text: 'user <*> paid <*> EUR', count: 2 })
    const query = (operator: string) =>
      `logs{service.name="kinds", pattern${operator}"${paid.pattern}"}`
    const ofKind = await follow(t, service, { parameters: { query: query('='), last: '10' } })
    const others = await follow(t, service, { parameters: { query: query('!='), last: '10' } })
    t.same(await ofKind.messages(2), [messages[0], messages[2]])
    t.same(await others.messages(2), [messages[1], messages[3]])
    await send(service, token, ['disk sdb2 is full', 'user carl paid 159 EUR', 'end'])
    t.same(await ofKind.messages(1), ['user carl paid 159 EUR'])
    t.same(await others.messages(2), ['disk sdb2 is full', 'end'])
  },
)

t.test('whatever a sender writes stays one event, as a query answers it', async t => {
  const { service, token } = await sharedSender('odd')
  const tail = await follow(t, service, { parameters: of('odd') })
  const texts = [
    'a\nb\r\n\r\ndata: x',
    '\rid: 7',
    '\u2028\u2029',
    '\0',
    '\ufeff',
    'é😀',
    'x'.repeat(200_000),
  ]
  for (const text of texts) {
    const body = { message: text, [text.slice(0, 50)]: text }
    t.equal((await service.call('POST', one, { token, body })).status, 200)
  }
  const { body } = await service.query(of('odd').query, { order: 'asc' })
  t.equal(body.count, texts.length)
  for (const record of body.logs) {
    const event = await tail.next()
    t.match(event, { event: 'record', id: record.id })
    t.equal(event!.data, JSON.stringify(record))
  }
})

t.test('a client that does not read is told exactly what it has missed', async t => {
  const { service, token } = await sharedSender('deaf')
  const deaf = await follow(t, service, { parameters: of('deaf') })
  const total = 30_000
  for (let i = 0; i < total; i += 5_000) {
    const events = names(i, 5_000).map(message => ({ message, padding: 'x'.repeat(1_000) }))
    await service.send(token, events)
  }
  await send(service, token, [`m${total}`])
  let next = 0
  let dropped = 0
  while (next <= total) {
    const { event, data } = (await deaf.next())!
    if (event === 'dropped') {
      const { count } = JSON.parse(data)
      next += count
      dropped += count
    } else if (JSON.parse(data).message === `m${next}`) {
      next++
    } else {
      return t.fail(`in the place of m${next} came ${data}`)
    }
  }
  t.ok(dropped > 0, `${dropped} of ${total} were dropped`)
  t.match((await service.call('GET', '/metrics')).body, `logstrata_tail_dropped_total ${dropped}\n`)
})

t.test('a deleted key ends its tails within seconds, others go on', async t => {
  const { service, token } = await sharedSender('keyed')
  const made = await service.call('POST', keys, { body: { name: 'a', role: 'viewer' } })
  const other = await follow(t, service, { parameters: of('keyed') })
  const tail = await follow(t, service, { parameters: of('keyed'), key: made.body.key })
  await areTailing(service, 2) // Those of other tests have left.
  await service.call('DELETE', `${keys}/${made.body.id}`)
  t.equal(await tail.next(), undefined)
  await send(service, token, ['a'])
  t.same(await other.messages(1), ['a'])
  await areTailing(service, 1)
})

t.test('the stop of the service ends tails cleanly and waits for none', async t => {
  const service = await startServiceOf(t, t.testdir())
  const token = await service.makeToken('stopped')
  const tail = await follow(t, service, { parameters: of('stopped') })
  await follow(t, service) // Reads nothing.
  await send(service, token, ['a'])
  t.same(await tail.messages(1), ['a'])
  const end = service.end()
  t.equal(await tail.next(), undefined)
  t.equal(await end, 0)
  t.notMatch(service.output.stderr, /"level":50/)
})
