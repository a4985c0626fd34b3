/** What becomes of a body whose records take more than there is room for. */

import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { heavyBodies } from '../../bench/heavy-bodies.ts'
import { BodyClaim, BodyMemory } from '../../src/ingest/body-memory.ts'
import { EncodePool } from '../../src/ingest/encode-pool.ts'
import { letGo } from '../../src/ingest/event-batch.ts'

const mib = 1024 * 1024

t.test('records may take what large claims may, and what is refused is freed at once', async t => {
  const pendingBytesMax = 32 * mib
  const memory = new BodyMemory(pendingBytesMax)
  const pool = new EncodePool({ ingestThreads: 1, pendingBytesMax })
  t.teardown(() => pool.close())
  const stream = { service: 'checkout', environment: 'prod' }
  const context = { receivedAt: 1, timestampField: undefined, eventBytesMax: mib }
  // Read once: what gunzipSync gives back waits for the collector, and would be counted below.
  const decoded = gunzipSync(heavyBodies['long names']!(4 * mib).body)
  const refuse = async () => {
    const body = new Uint8Array(decoded)
    const claim = new BodyClaim(memory)
    const detail = `take more than ${28 * mib - body.length} bytes`
    await t.rejects(
      pool.encode(body, { format: 'events', stream, context }, claim),
      { code: 'body_too_large', message: new RegExp(detail) },
      'seven eighths of the room, less the body',
    )
    claim.end()
  }
  await refuse()
  const beforeBytes = process.memoryUsage().arrayBuffers
  for (let time = 0; time < 3; time++) await refuse()
  const grownBytes = process.memoryUsage().arrayBuffers - beforeBytes
  t.ok(grownBytes < 4 * mib, `${grownBytes} bytes of three bodies are left`)
  t.equal(memory.heldBytes, 0)
})

t.test('what seems to hold very many events is read as large bodies are', async t => {
  const memory = new BodyMemory(64 * mib)
  const pool = new EncodePool({ ingestThreads: 1, pendingBytesMax: 64 * mib })
  t.teardown(() => pool.close())
  const context = { receivedAt: 1, timestampField: undefined, eventBytesMax: mib }
  const reading = {
    format: 'events',
    stream: { service: 'checkout', environment: 'prod' },
    context,
  } as const
  const isReadAsLarge = async (event: string, bytes: number) => {
    const claim = new BodyClaim(memory)
    let largeCount = 0
    claim.readLarge = work => {
      largeCount++
      return work()
    }
    const body = new Uint8Array(Buffer.alloc(bytes - (bytes % event.length), event))
    await pool.encode(body, reading, claim)
    claim.end()
    return largeCount > 0
  }
  const usual = '{"level":"info","message":"an event","customer":{"plan":{"name":"pro"}}}\n'
  t.ok(await isReadAsLarge('{}\n', mib), '349,525 events')
  t.notOk(await isReadAsLarge('{}\n', mib / 2), 'half as many')
  t.notOk(await isReadAsLarge(usual, 4 * mib), '57,455 events')
  t.ok(await isReadAsLarge(usual, 9 * mib), 'more than 8 MiB')
})

t.test('what a thread has made is not the main thread’s before it is asked for', async t => {
  const memory = new BodyMemory(256 * mib)
  const pool = new EncodePool({ ingestThreads: 1, pendingBytesMax: 256 * mib })
  t.teardown(() => pool.close())
  const context = { receivedAt: 1, timestampField: undefined, eventBytesMax: mib }
  const stream = { service: 'checkout', environment: 'prod' }
  const body = new Uint8Array(gunzipSync(heavyBodies['events gzip']!(20 * mib).body))
  const claim = new BodyClaim(memory)
  const { encoded } = await pool.encode(body, { format: 'events', stream, context }, claim)
  const bytes = encoded.batches.reduce((sum, { payloadBytes }) => sum + payloadBytes, 0)
  t.equal(claim.bytes, bytes, 'but it is claimed')
  const countedBytes = () => process.memoryUsage().external
  const before = countedBytes()
  const all = encoded.batches.reduce((sum, { payload }) => sum + payload.length, 0)
  t.equal(all, bytes)
  t.ok(countedBytes() - before > 0.9 * bytes, `${countedBytes() - before} of ${bytes}`)
  letGo(encoded.batches)
  claim.end()
})

t.test('what is under way when the threads end, and what waits for them, is given up', async t => {
  const memory = new BodyMemory(64 * mib)
  const pool = new EncodePool({ ingestThreads: 1, pendingBytesMax: 64 * mib })
  const stream = { service: 'checkout', environment: 'prod' }
  const context = { receivedAt: 1, timestampField: undefined, eventBytesMax: mib }
  const begin = () => {
    const body = new Uint8Array(Buffer.alloc(900_000, '{}\n'))
    return pool.encode(body, { format: 'events', stream, context }, new BodyClaim(memory))
  }
  const given = [t.rejects(begin(), { code: 'stopping' }), t.rejects(begin(), { code: 'stopping' })]
  await new Promise(resolve => setImmediate(resolve))
  await pool.close()
  await Promise.all(given)
  await t.rejects(begin(), { code: 'stopping' }, 'and what comes later')
})
