import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Batch } from '../../src/journal/batch-reader.ts'
import { BatchWriter, type EncodedBatch } from '../../src/journal/batch-writer.ts'
import type { LogRecord, Stream } from '../../src/record.ts'
import { forAll } from '../for-all.ts'
import { arbitraryRecord, checkout, comparable, plainRecord, search } from './records.ts'

const arbitraryStream = fc.constantFrom(checkout, search)

type Row = readonly [LogRecord, Stream]

function encode(rows: readonly Row[], writer = new BatchWriter()) {
  for (const [record, stream] of rows) writer.add(record, stream)
  return writer.encode()
}

function decode(encoded: EncodedBatch): Batch {
  const { payload, recordCount, minTimestamp, maxTimestamp } = encoded
  const payloadBytes = payload.length
  const header = { payloadBytes, recordCount, firstSequence: 0, minTimestamp, maxTimestamp }
  return new Batch({ header, payload })
}

t.test('every record of a batch comes back exactly, with its stream', async () => {
  forAll(
    fc.array(fc.tuple(arbitraryRecord, arbitraryStream), { minLength: 1, maxLength: 20 }),
    rows => {
      const batch = decode(encode(rows))
      assert.equal(batch.recordCount, rows.length)
      rows.forEach(([record, stream], row) => {
        assert.deepEqual(comparable(batch.record(row)), comparable(record))
        assert.deepEqual(batch.stream(row), stream)
      })
    },
  )
})

t.test('a writer makes one batch after the other, each as if it were its first', async () => {
  const rows = fc.array(fc.tuple(arbitraryRecord, arbitraryStream), { minLength: 1, maxLength: 40 })
  forAll(fc.array(rows, { maxLength: 5 }), batches => {
    const writer = new BatchWriter()
    for (const batch of batches) assert.deepEqual(encode(batch, writer), encode(batch))
  })
})

t.test('a writer lets go of the memory of odd batches', async t => {
  const writer = new BatchWriter()
  const huge = { ...plainRecord('m'.repeat(5_000_000)), attributes: ['a', 'b'] }
  const names = Array.from({ length: 1_500 }, (_, i) => [`name-${i}`, 'value'])
  for (const record of [huge, { ...plainRecord('m'), attributes: names.flat() }]) {
    t.same(comparable(decode(encode([[record, checkout]], writer)).record(0)), comparable(record))
    t.equal(writer.heldBytes, new BatchWriter().heldBytes)
    encode([[plainRecord('m'), checkout]], writer)
  }
  t.ok(writer.heldBytes > new BatchWriter().heldBytes, 'that of usual ones it keeps')
})

t.test('a writer lets go of names that take much, however few', async t => {
  const writer = new BatchWriter()
  const names = Array.from({ length: 900 }, (_, i) => [`${'n'.repeat(1_000)}${i}`, '1'])
  const record = { ...plainRecord('m'), attributes: names.flat() }
  writer.add(record, checkout)
  const least = writer.leastBytes
  const encoded = writer.encodeOwn()
  const { payload } = encoded
  t.ok(least > 900_000 && least <= payload.length, `${least} of ${payload.length} bytes are told`)
  t.equal(payload.buffer.byteLength, payload.length)
  t.same(comparable(decode(encoded).record(0)), comparable(record))
  t.equal(writer.heldBytes, new BatchWriter().heldBytes)
})

t.test('batches of any size, one after the other, come back exactly', async t => {
  const writer = new BatchWriter()
  for (const length of [10, 300_000, 3_000_000, 20, 1_040_000, 1_048_000, 500_000, 5]) {
    const record = { ...plainRecord('é'.repeat(length / 2)), attributes: ['日'.repeat(60), 'b'] }
    writer.add(record, checkout)
    const encoded = writer.encodeOwn()
    t.same(comparable(decode(encoded).record(0)), comparable(record), `${length}`)
  }
})

t.test('the summary of a batch is what a reader finds in it', async () => {
  forAll(
    fc.array(fc.tuple(arbitraryRecord, arbitraryStream), { minLength: 1, maxLength: 20 }),
    rows => {
      const encoded = encode(rows)
      assert.deepEqual(decode(encoded).summarise(), encoded.streams)
      const times = rows.map(([record]) => record.timestamp)
      assert.equal(encoded.minTimestamp, Math.min(...times))
      assert.equal(encoded.maxTimestamp, Math.max(...times))
      const counted = encoded.streams.reduce((sum, stream) => sum + stream.recordCount, 0)
      assert.equal(counted, rows.length)
    },
  )
})

t.test('texts of more than one byte a character keep their borders', async t => {
  const messages = ['é', 'a', '', '日本', '😀x', 'plain']
  const batch = decode(encode(messages.map(message => [plainRecord(message), checkout])))
  t.same(
    messages.map((_, row) => batch.record(row).message),
    messages,
  )
})

t.test('a column that few records have names those records', async t => {
  const rows = [1, 2, 3, 4].map(
    n => [{ ...plainRecord('x'), attributes: n % 2 ? ['odd', `${n}`] : [] }, checkout] as const,
  )
  const batch = decode(encode(rows))
  t.same(Array.from(batch.attribute('odd')!.rows!), [0, 2])
  t.same(
    rows.map((_, row) => batch.record(row).attributes),
    [['odd', '1'], [], ['odd', '3'], []],
  )
  t.equal(batch.attribute('even'), undefined)
})
