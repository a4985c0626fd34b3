/** Batches whose bytes come when they are asked for. */
import fc from 'fast-check'
import t from 'tap'
import { arrivingBatches, type BatchHead } from '../../src/ingest/arriving-batches.ts'
import { withReceipts } from '../../src/ingest/retries/batch-receipts.ts'
import { parcelOf, takeOut } from '../../src/threads/parcel.ts'
import { forAll } from '../for-all.ts'

const headOf = (payloadBytes: number, index: number): BatchHead => ({
  ...{ payloadBytes, recordCount: 1, minTimestamp: index, maxTimestamp: index, streams: [] },
  ...{ eventsEnd: index + 1, keysEnd: 0 },
})

t.test('each has its own bytes, in whatever order they are asked for, and twice', async () => {
  const contents = fc.uniqueArray(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 20 })
  const asked = contents.chain(texts => {
    const order = fc.array(fc.nat(texts.length - 1), { maxLength: 40 })
    return fc.record({ texts: fc.constant(texts), order })
  })
  forAll(asked, ({ texts, order }) => {
    const buffers = texts.map(text => new Uint8Array(Buffer.from(text)).buffer)
    const heads = texts.map((text, i) => headOf(Buffer.byteLength(text), i))
    const batches = arrivingBatches(heads, parcelOf(buffers))
    const isRight = (i: number) => String(batches[i]!.payload) === texts[i]
    return order.every(isRight) && batches.every((_, i) => isRight(i))
  })
})

t.test('nothing is asked for when receipts are added, or sizes read', async t => {
  const parcel = parcelOf([new ArrayBuffer(3), new ArrayBuffer(5)])
  const batches = arrivingBatches([headOf(3, 0), headOf(5, 1)], parcel)
  const counts = { eventCount: 2, accepted: 2, repeated: 0, rejected: 0, unreadableTimes: 0 }
  const encoded = { batches, ...counts, eventKeys: new Uint8Array(0), errors: [], answers: '' }
  const key = { kind: 'idempotency-key', hash: Buffer.alloc(16), digest: Buffer.alloc(16) } as never
  const received = withReceipts(encoded, 1, key)
  t.same(
    received.map(({ payloadBytes }) => payloadBytes),
    [3, 5],
  )
  t.equal(takeOut(parcel).byteLength, 3, 'the first is still there')
  t.equal(received[0]!.payload.length, 5, 'and the next one is the first to be asked for')
  t.throws(() => received[1]!.payload, /nothing is left/)
})
