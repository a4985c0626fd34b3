/** The sender that keeps to a schedule, against a server that remembers what it was sent. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { readRequests, sendPaced } from '../../bench/paced.ts'
import { listening } from '../listening.ts'

interface Sent {
  readonly token: string | undefined
  readonly body: string
}

async function startReceiver(t: Test, statusOf: (index: number) => number) {
  const received: Sent[] = []
  const server = createServer(async (request, response) => {
    const index = received.length
    const chunks: Buffer[] = []
    const sent = { token: request.headers.authorization, body: '' }
    received.push(sent)
    for await (const chunk of request) chunks.push(chunk)
    sent.body = Buffer.concat(chunks).toString()
    response.writeHead(statusOf(index), { 'Content-Length': 2 }).write('{')
    setImmediate(() => response.end('}')) // An answer in two pieces is one answer.
  })
  const { port, url } = await listening(t, server)
  return { received, host: `127.0.0.1:${port}`, baseUrl: url }
}

const paced = { connectionCount: 3, perSecond: 1_000, seconds: 0.05 }

t.test('each event of the schedule is sent once, the ring’s in turn', async t => {
  const { received, host, baseUrl } = await startReceiver(t, () => 200)
  const ringPath = `${t.testdir()}/ring.tsv`
  writeFileSync(ringPath, 'one\t{"message":"α"}\ntwo\t{"message":"β"}\n')
  const requests = readRequests(ringPath, host)
  const summary = await sendPaced({ ...paced, baseUrl, requests })

  t.equal(summary.acknowledged, 50)
  t.ok(summary.seconds >= 0.049, 'not faster than the schedule')
  t.ok(summary.p50Ms <= summary.p99Ms && summary.p99Ms <= summary.mostMs)
  t.ok(summary.delayP50Ms <= summary.p50Ms)
  const isFirst = ({ token, body }: Sent) => token === 'Bearer one' && body.includes('α')
  const isSecond = ({ token, body }: Sent) => token === 'Bearer two' && body.includes('β')
  t.equal(received.length, 50)
  t.equal(received.filter(isFirst).length, 25)
  t.equal(received.filter(isSecond).length, 25)
})

t.test('an event that is refused ends the run', async t => {
  const { baseUrl } = await startReceiver(t, index => (index === 10 ? 503 : 200))
  const requests = [Buffer.from('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')]
  await t.rejects(sendPaced({ ...paced, baseUrl, requests }), /503/)
})
