import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Batch } from '../../src/journal/batch-reader.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { joinBatches } from '../../src/journal/join-batches.ts'
import type { LogRecord, Stream } from '../../src/record.ts'
import { arbitraryRecord, arbitraryStream } from '../query/plain.ts'

interface Stored {
  readonly record: LogRecord
  readonly stream: Stream
}

function batchOf(rows: readonly Stored[], firstSequence: number): Batch {
  const writer = new BatchWriter()
  for (const { record, stream } of rows) writer.add(record, stream)
  const { payload, minTimestamp, maxTimestamp } = writer.encode()
  return new Batch({ header: { firstSequence, minTimestamp, maxTimestamp }, payload })
}

/** Everything about the records of some batches. */
function contentOf(batches: Iterable<Batch>) {
  return [...batches].flatMap(batch =>
    Array.from({ length: batch.recordCount }, (_, row) => {
      const { attributes, ...record } = batch.record(row)
      const pairs = attributes.flatMap((name, i) =>
        i % 2 === 0 ? [[name, attributes[i + 1]]] : [],
      )
      return {
        ...record,
        // Attributes of a batch stand in the order in which it met their names.
        attributes: pairs.sort(([a], [b]) => (a! < b! ? -1 : 1)),
        stream: { ...batch.stream(row) },
        sequence: batch.sequence(row),
        isWithin: batch.minTimestamp <= record.timestamp && record.timestamp <= batch.maxTimestamp,
      }
    }),
  )
}

const arbitraryStored: fc.Arbitrary<Stored> = fc
  .tuple(arbitraryRecord, arbitraryStream)
  .map(([record, stream]) => ({ record, stream }))

t.test('joined batches hold the same records with the same sequences', async () => {
  const part = fc.record({
    rows: fc.array(arbitraryStored, { minLength: 1, maxLength: 5 }),
    /** Records that a damaged frame before this one has lost. */
    lost: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3)),
    /** How often the rows stand in the batch: some batches are large. */
    times: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.constant(600)),
  })
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), parts => {
      let sequence = 1
      const batches = parts.map(({ rows, lost, times }) => {
        const repeated = Array.from({ length: times }, () => rows).flat()
        const batch = batchOf(repeated, sequence + lost)
        sequence += lost + repeated.length
        return batch
      })
      assert.deepEqual(contentOf(joinBatches(batches)), contentOf(batches))
    }),
    { numRuns: 100 },
  )
})

t.test('many small batches become few large ones, and large ones pass as they are', async t => {
  const stream = { service: 'a', environment: 'b' }
  const message = 'x'.repeat(200)
  const stored = (timestamp: number): Stored => ({
    record: { timestamp, level: 'info', message, attributes: ['n', String(timestamp)] },
    stream: { ...stream },
  })
  const small = Array.from({ length: 20_000 }, (_, i) => batchOf([stored(i)], i + 1))
  const joined = [...joinBatches(small)]
  t.equal(joined.length, 5)
  t.same(joined[0]!.streams, [stream], 'one stream, whatever the objects')

  const large = batchOf(
    Array.from({ length: 600 }, (_, i) => stored(i)),
    2,
  )
  const [before, same, after] = joinBatches([small[0]!, large, batchOf([stored(1)], 602)])
  t.equal(same, large)
  t.equal(before!.recordCount, 1)
  t.equal(after!.sequence(0), 602)
})
