import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { decoderKind } from '../../../src/http/body/decoder-kind.ts'
import { DecoderQueue, type EndDecoding } from '../../../src/http/body/decoder-queue.ts'
import { BodyClaim, BodyMemory, memoryPerBodyByte } from '../../../src/ingest/body-memory.ts'
import { limits } from '../../../src/limits.ts'

const mib = 1024 * 1024
const { signal } = new AbortController()

function queueOf(bytesMax: number, now?: () => number) {
  const memory = new BodyMemory(bytesMax)
  const queue = new DecoderQueue(memory, now)
  const claimOf = (bytes: number) => {
    const claim = new BodyClaim(memory)
    claim.resize(bytes)
    return claim
  }
  return { memory, queue, claimOf }
}

t.test('of too many that wait, one more is refused', async t => {
  const kinds = [
    { kind: 'small', decoded: mib, decoders: 2, places: limits.smallBodiesWaitingMax },
    { kind: 'large', decoded: 60 * mib, decoders: 1, places: limits.largeBodiesWaitingMax },
  ] as const
  for (const { kind, decoded, decoders, places } of kinds) {
    const { queue, claimOf } = queueOf(1024 * mib, () => 0)
    const ends = await Promise.all(
      Array.from({ length: decoders }, () => queue.enter(kind, claimOf(1), decoded, signal)),
    )
    const waiting = Array.from({ length: places }, () =>
      queue.enter(kind, claimOf(1), decoded, signal),
    )
    t.equal(queue.waitingCount, places)
    const extras = { retryAfterSeconds: 1 }
    const refusal = { code: 'ingest_overloaded', extras }
    await t.rejects(queue.enter(kind, claimOf(1), decoded, signal), refusal, `${places} wait`)
    const later = { code: 'ingest_overloaded', extras: { retryAfterSeconds: 2 } }
    await t.rejects(queue.enter(kind, claimOf(1), decoded, signal), later, 'the next one after it')
    for (const end of ends) end(0)
    for (const entered of waiting) (await entered)(0)
    t.equal(queue.decodingCount, 0)
  }
})

t.test('a small body does not wait for the large ones before it', async t => {
  const { queue, claimOf } = queueOf(256 * mib)
  const end = await queue.enter('large', claimOf(1), 60 * mib, signal)
  const large = queue.enter('large', claimOf(1), 60 * mib, signal)
  const endSmall = await queue.enter('small', claimOf(1), mib, signal)
  t.equal(queue.waitingCount, 1)
  endSmall(mib)
  end(0)
  const endLast = await large
  endLast(0)
})

t.test('bodies that wait take no more than was sent, and those that began all of it', async t => {
  const { memory, queue, claimOf } = queueOf(256 * mib)
  const claims = [claimOf(mib), claimOf(mib)] as const
  const end = await queue.enter('large', claims[0], 60 * mib, signal)
  const waiting = queue.enter('large', claims[1], 60 * mib, signal)
  t.equal(memory.heldBytes, mib + 60 * memoryPerBodyByte * mib + mib)
  end(50 * mib)
  await waiting
  t.equal(claims[0].bytes, 50 * memoryPerBodyByte * mib, 'what came of it')
  claims[0].end()
  claims[1].end()
  t.equal(memory.heldBytes, 0)
})

t.test('a body that is given up leaves its place, before and after it began', async t => {
  const { memory, queue, claimOf } = queueOf(256 * mib)
  const end = await queue.enter('large', claimOf(1), 60 * mib, signal)
  const leaver = new AbortController()
  const claim = claimOf(100)
  const left = queue.enter('large', claim, 60 * mib, leaver.signal)
  const stays = queue.enter('large', claimOf(1), 60 * mib, signal)
  leaver.abort(new Error('gone'))
  await t.rejects(left, { message: 'gone' })
  t.equal(queue.waitingCount, 1)
  await t.rejects(queue.enter('large', claim, 60 * mib, leaver.signal), { message: 'gone' })
  claim.end()
  end()
  const endLast = await stays
  endLast()
  t.equal(memory.heldBytes, 2, 'each has what was sent')
})

t.test(
  'bodies that fill the memory by themselves do not wait for one another for ever',
  async t => {
    const { memory, queue, claimOf } = queueOf(100 * mib)
    const claims = Array.from({ length: 7 }, () => claimOf(12 * mib))
    const entered = claims.map(claim => queue.enter('large', claim, 30 * mib, signal))
    const outcomes = await Promise.allSettled(
      entered.map(async (begins, i) => {
        const end = await begins
        end(30 * mib)
        claims[i]!.end()
      }),
    )
    const served = outcomes.filter(({ status }) => status === 'fulfilled')
    t.ok(served.length >= 2, `${served.length} of ${claims.length} had their turn`)
    t.equal(outcomes[0]?.status, 'fulfilled', 'the first of all')
    t.equal(memory.heldBytes, 0)
  },
)

t.test('whatever comes, all are served or refused, and the memory is kept to', async () => {
  const bytesMax = 64 * mib
  const body = fc.record({
    sent: fc.integer({ min: 1, max: 20 * mib }),
    ratio: fc.integer({ min: 1, max: 100 }),
    isGivenUp: fc.boolean(),
    becomes: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  const property = fc.asyncProperty(fc.array(body, { maxLength: 40 }), async bodies => {
    const { memory, queue } = queueOf(bytesMax)
    let most = 0
    const send = async ({ sent, ratio, isGivenUp, becomes }: (typeof bodies)[number]) => {
      const claim = new BodyClaim(memory)
      const leaver = new AbortController()
      try {
        claim.resize(sent)
        const decoded = Math.min(sent * ratio, 16 * mib)
        const entered = queue.enter(decoderKind(sent, decoded), claim, decoded, leaver.signal)
        if (isGivenUp) leaver.abort(new Error('gone'))
        const end: EndDecoding = await entered
        most = Math.max(most, memory.heldBytes)
        await new Promise(resolve => setImmediate(resolve))
        end(Math.floor(decoded * becomes))
        return 'served'
      } catch (error) {
        return (error as { code?: string }).code ?? (error as Error).message
      } finally {
        claim.end()
      }
    }
    const outcomes = await Promise.all(bodies.map(send))
    assert.ok(outcomes.every(of => ['served', 'ingest_overloaded', 'gone'].includes(of)))
    assert.equal(memory.heldBytes, 0)
    assert.equal(queue.waitingCount + queue.decodingCount, 0)
    assert.ok(most <= bytesMax, `${most} bytes at most`)
    const hasWanted = bodies.some(({ isGivenUp }) => !isGivenUp)
    assert.ok(!hasWanted || outcomes.includes('served'), 'one at least had its turn')
  })
  await fc.assert(property, { numRuns: 300 })
})
