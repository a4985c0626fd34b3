/** Memory of large bodies' records: freed part by part, as they come to disk, and not before. */
import t from 'tap'
import { openIngestOf } from './retries/ingest-on-store.ts'

const body = Array.from(
  { length: 2_000 },
  (_, i) => `{"message":"${i} ${'x'.repeat(1_000)}"}`,
).join('\n')

t.test('the memory of each batch is freed as soon as it is on disk', async t => {
  const there = await openIngestOf(t, t.testdir())
  const { appendBatches } = there.store
  const freed: number[] = []
  there.store.appendBatches = async (batches, onWritten) => {
    const buffers = batches.map(({ payload }) => payload.buffer as ArrayBuffer)
    const freedCount = () => buffers.filter(({ detached }) => detached).length
    freed.push(freedCount())
    await appendBatches.call(there.store, batches, batch => {
      onWritten?.(batch)
      freed.push(freedCount())
    })
    t.same(freed, [...batches.keys(), batches.length], 'one after the other')
    t.ok(batches.length > 5, `${batches.length} batches`)
  }
  t.match(await there.batch(body), { accepted: 2_000, rejected: 0 })
  t.equal((await there.messages()).length, 2_000, 'all are there')
})

t.test('what is not stored is freed too', async t => {
  const there = await openIngestOf(t, t.testdir())
  let buffers: ArrayBuffer[] = []
  there.store.appendBatches = async (batches, onWritten) => {
    buffers = batches.map(({ payload }) => payload.buffer as ArrayBuffer)
    onWritten?.(batches[0]!)
    throw new Error('the others failed')
  }
  await t.rejects(there.batch(body), /the others failed/)
  t.ok(buffers.length > 5)
  t.ok(buffers.every(({ detached }) => detached))
})
