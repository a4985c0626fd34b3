/** Runs on its own clock: as long as the service's patience with a connection, about 12 s. */
import t from 'tap'
import { adminKey, startServiceOf } from '../service/service-process.ts'
import { goodClient } from './good-client.ts'
import { holdSlowConnections, slowKinds } from './slow-connections.ts'

const count = 200
const patienceMsMax = 15_000
/** A reader is first given its answer: with all of them at once that takes a while. */
const closedAfterMsMax = { headers: patienceMsMax, body: patienceMsMax, reader: 2 * patienceMsMax }

const skip = process.platform === 'linux' ? false : 'only Linux tells who holds a connection'

t.test('slow connections are closed in time; others are answered', { skip }, async t => {
  const service = await startServiceOf(t, t.testdir())
  const token = await service.makeToken()
  const events = Array.from({ length: 1_000 }, (_, i) =>
    JSON.stringify({ i, message: `${i} ${'x'.repeat(5_000)}` }),
  ).join('\n')
  const sent = { token, body: events }
  t.equal((await service.call('POST', '/api/v1/webhook/event/logs', sent)).status, 200)

  const slow = holdSlowConnections({ url: service.url, token, key: adminKey }, count)
  t.teardown(() => slow.end())
  const { query } = await goodClient(service, token, 9_000)
  t.ok(query.length > 2, `${query.length} queries were answered`)
  await slow.allClosedOnce
  slow.end()
  for (const kind of slowKinds) {
    const longest = Math.max(...slow.lifetimes[kind])
    t.ok(slow.lifetimes[kind].length >= 20, `${kind}: all were closed`)
    t.ok(
      longest < closedAfterMsMax[kind],
      `${kind}: closed after ${Math.round(longest)} ms at most`,
    )
  }
  t.equal(await service.end(), 0, 'none keeps the service from stopping')
})
