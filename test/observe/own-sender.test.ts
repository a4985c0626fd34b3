import t from 'tap'
import { OwnEventsRefused, ownAddress, sendOwnEvents } from '../../src/observe/own-sender.ts'
import { fakeIngest } from './fake-ingest.ts'

const never = new AbortController().signal
const sender = (url: string) => ({ url, token: 'secret', timeField: 'time' })

t.test('lines go out as any sender’s, with a token and their own time', async t => {
  const { url, received } = await fakeIngest(t)
  await sendOwnEvents(sender(url), ['{"a":1}', '{"a":2}'], never)
  t.match(received, [
    {
      path: '/api/v1/webhook/event/logs?timestamp_field=time',
      headers: { authorization: 'Bearer secret' },
      events: [{ a: 1 }, { a: 2 }],
    },
  ])
})

t.test('a service that takes nothing is waited for, as long as it says', async t => {
  const headers = { 'retry-after': '0' }
  const { url, received } = await fakeIngest(t, index =>
    index === 0 ? [429, headers] : index === 1 ? [503, headers] : [200],
  )
  await sendOwnEvents(sender(url), ['{}'], never)
  t.equal(received.length, 3)
})

t.test('a token that is gone ends it, with the status', async t => {
  const { url, received } = await fakeIngest(t, () => [401])
  await t.rejects(sendOwnEvents(sender(url), ['{}'], never), {
    name: 'OwnEventsRefused',
    status: 401,
  })
  t.equal(received.length, 1)
  t.ok(new OwnEventsRefused(401, '') instanceof Error)
})

t.test('a stop ends the waiting at once', async t => {
  const stopping = new AbortController()
  const { url } = await fakeIngest(t, () => {
    setImmediate(() => stopping.abort())
    return [503, { 'retry-after': '3600' }]
  })
  await t.rejects(sendOwnEvents(sender(url), ['{}'], stopping.signal), { name: 'AbortError' })
})

t.test('the own address reaches the service whatever it listens on', async t => {
  t.equal(ownAddress('http://0.0.0.0:7007'), 'http://127.0.0.1:7007')
  t.equal(ownAddress('http://[::]:7007'), 'http://[::1]:7007')
  t.equal(ownAddress('http://10.0.0.7:80'), 'http://10.0.0.7:80')
})
