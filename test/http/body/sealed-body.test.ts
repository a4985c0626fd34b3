/** A large body goes through the main thread without being its own, and is never left behind. */
import { deflateSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import {
  type DecodedBody,
  isSealed,
  opened,
  type SealedBody,
} from '../../../src/ingest/sealed-body.ts'
import { isGone } from '../../../src/threads/parcel.ts'
import { config, ingestionSecret, startServer } from '../stand-ins.ts'

const mib = 1024 * 1024
const path = '/api/v1/webhook/event/logs'
const large = Buffer.alloc(20 * mib, '{"message":"an event"}\n')
const stored = { accepted: 1, rejected: 0, errors: [] }

/** A server that hands bodies of events to `take`, and how they are sent to it. */
async function start(t: Test, take: (body: DecodedBody) => void) {
  const bodies: DecodedBody[] = []
  const { url } = await startServer(t, {
    config: { ...config, batchBytesMax: 60 * mib, pendingBytesMax: 256 * mib },
    ingest: {
      async batch(body) {
        bodies.push(body)
        take(body)
        return stored
      },
    },
  })
  const send = async (body: Buffer, encoding: string, headers: Record<string, string> = {}) => {
    const authorization = `Bearer ${ingestionSecret}`
    const all = { authorization, 'Content-Encoding': encoding, ...headers }
    const type = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', body: new Uint8Array(body), headers: { ...all, ...type } }
    return (await fetch(url + path, init)).status
  }
  return { bodies, send }
}

t.test('it comes sealed, and is what was sent', async t => {
  let read: Buffer | undefined
  const { bodies, send } = await start(t, body => {
    t.ok(isSealed(body))
    t.equal(body.length, large.length)
    read = opened(body)
  })
  t.equal(await send(gzipSync(large), 'gzip'), 200)
  t.ok(read!.equals(large))
  t.ok(isGone((bodies[0] as SealedBody).memory))
})

t.test('one that nobody opened is gone with its request', async t => {
  let error: Error | undefined
  const { bodies, send } = await start(t, () => {
    if (error !== undefined) throw error
  })
  t.equal(await send(gzipSync(large), 'gzip'), 200)
  error = new Error('a mistake')
  t.equal(await send(gzipSync(large), 'gzip'), 500)
  t.equal(await send(deflateSync(large), 'deflate'), 500)
  t.equal(bodies.length, 3)
  for (const body of bodies) t.ok(isSealed(body) && isGone(body.memory))
})

t.test('small ones are not', async t => {
  const { send } = await start(t, body => t.notOk(isSealed(body)))
  const events = Array.from({ length: 50_000 }, (_, i) => `{"message":"event ${i * 7_919}"}\n`)
  t.equal(await send(gzipSync(events.join('')), 'gzip'), 200)
})
