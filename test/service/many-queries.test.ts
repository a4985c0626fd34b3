/** Queries that come all at once, and one that would run for ever where states are tried one by one. */
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { adminKey } from './service-process.ts'
import { sharedSender } from './shared-service.ts'

const connections = 200
const queries = 1_000

t.test('a thousand small queries at once over 200 connections are all answered', async t => {
  const { service, token } = await sharedSender('many')
  const events = Array.from({ length: 500 }, (_, i) => ({ message: `event ${i}` }))
  await service.send(token, events)

  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  t.teardown(() => agent.destroy())
  const ask = (query: string) =>
    new Promise<{ status: number; count: number }>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${adminKey}`,
        'content-type': 'application/json',
      }
      const url = `${service.url}/api/v1/query/logs`
      const asked = request(url, { method: 'POST', agent, headers }, async response => {
        const body = await text(response)
        resolve({ status: response.statusCode!, count: JSON.parse(body).count })
      })
      asked.on('error', reject).end(JSON.stringify({ query, startTime: 0, endTime: 8.64e15 }))
    })
  const answers = await Promise.all(
    Array.from({ length: queries }, (_, i) => ask(`logs |~ "^event ${i % 500}$"`)),
  )
  t.same(
    answers.filter(({ status, count }) => status !== 200 || count !== 1),
    [],
  )
})

t.test('an expression with many states takes time in proportion to the texts', async t => {
  const { service, token } = await sharedSender('many')
  const letters = 'é'.repeat(100_000) // 200 KB, and each letter begins another try.
  for (let i = 0; i < 20; i++) {
    const body = { message: i % 2 === 0 ? letters : `${letters}.` }
    await service.send(token, body)
  }
  // One state by one, each of these takes 100,000 × 500 steps a text, 30 s in all.
  const asked = (pattern: string) => service.query(`logs |~ \`${pattern}\``, { timeoutMs: 10_000 })
  t.match(await asked('\\pL{500}[^a]'), { status: 200, body: { count: 20 } })
  t.match(await asked('\\pL{500}[^é]'), { status: 200, body: { count: 10 } })
  t.match(await asked('\\pL{500}[a-z]'), { status: 200, body: { count: 0 } })
  t.equal((await service.call('GET', '/health')).status, 200)
})
