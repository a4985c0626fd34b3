import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { TextColumn } from '../../src/columns/column.ts'
import { Batch } from '../../src/journal/batch-reader.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { FileColumns } from '../../src/journal/file-columns.ts'
import type { LogRecord, Stream } from '../../src/record.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
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

/** Everything about a record: its attributes by name, because their order is that of the columns. */
interface Content {
  readonly timestamp: number
  readonly sequence: number
  readonly level: string
  readonly message: string
  readonly stream: Stream
  readonly attributes: ReadonlyMap<string, string>
}

function contentOf({ record, stream }: Stored, sequence: number): Content {
  const { attributes, ...more } = record
  const pairs = attributes.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, attributes[i + 1]!]] : [],
  )
  return { ...more, sequence, stream: { ...stream }, attributes: new Map(pairs) }
}

function contentOfColumns(columns: FileColumns): Content[] {
  const textAt = ({ offsets, bytes }: TextColumn, index: number) =>
    bytes.toString('utf8', offsets[index]!, offsets[index + 1]!)
  const namesByStream = columns.attributeNamesByStream()
  return Array.from({ length: columns.recordCount }, (_, row) => {
    const attributes = new Map<string, string>()
    for (const name of namesByStream[columns.streamCode(row)]!) {
      const { texts, rows } = columns.attribute(name)!
      const index = rows === undefined ? row : rows.indexOf(row)
      if (index !== -1) attributes.set(name, textAt(texts, index))
    }
    return {
      timestamp: columns.timestamp(row),
      sequence: columns.sequence(row),
      level: columns.level(row),
      message: textAt(columns.message, row),
      stream: { ...columns.streams[columns.streamCode(row)]! },
      attributes,
    }
  })
}

function columnsOf(batches: readonly Batch[]): FileColumns {
  const columns = new FileColumns()
  for (const batch of batches) columns.add(batch)
  return columns
}

const arbitraryStored: fc.Arbitrary<Stored> = fc
  .tuple(arbitraryRecord, arbitraryStream)
  .map(([record, stream]) => ({ record, stream }))

t.test('the columns of a file hold the records of its batches with their sequences', async () => {
  const part = fc.record({
    rows: fc.array(arbitraryStored, { minLength: 1, maxLength: 5 }),
    /** Records that a damaged frame before this one has lost. */
    lost: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(3)),
    /** How often the rows stand in the batch: some batches are large, so that memory must grow. */
    times: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.constant(100)),
  })
  forAll(longRuns(100), fc.array(part, { maxLength: 12 }), parts => {
    let sequence = 1
    const expected: Content[] = []
    const batches = parts.map(({ rows, lost, times }) => {
      const repeated = Array.from({ length: times }, () => rows).flat()
      sequence += lost
      const batch = batchOf(repeated, sequence)
      for (const stored of repeated) expected.push(contentOf(stored, sequence++))
      return batch
    })
    assert.deepEqual(contentOfColumns(columnsOf(batches)), expected)
  })
})

t.test('tens of thousands of small batches become one list of streams and levels', async t => {
  const stored = (timestamp: number): Stored => ({
    record: {
      timestamp,
      level: timestamp % 2 === 0 ? 'info' : 'error',
      message: 'x'.repeat(200),
      attributes: timestamp % 3 === 0 ? ['n', String(timestamp)] : [],
    },
    stream: { service: 'a', environment: 'b' },
  })
  const columns = columnsOf(Array.from({ length: 20_000 }, (_, i) => batchOf([stored(i)], i + 1)))
  t.equal(columns.recordCount, 20_000)
  t.same(columns.streams, [{ service: 'a', environment: 'b' }], 'one stream, whatever the objects')
  t.same(columns.levels, ['info', 'error'])
  const { texts, rows } = columns.attribute('n')!
  t.equal(rows!.length, 6_667)
  t.equal(rows![5], 15)
  t.equal(texts.bytes.toString('utf8', texts.offsets[5], texts.offsets[6]), '15')
  t.equal(columns.attribute('other'), undefined)
  t.same(columns.attributeNamesByStream(), [['n']])
})

t.test('each stream has the names of its own records only', async t => {
  const stored = (service: string, ...names: string[]): Stored => ({
    record: {
      timestamp: 1,
      level: 'info',
      message: 'm',
      attributes: names.flatMap(name => [name, 'v']),
    },
    stream: { service, environment: 'b' },
  })
  const columns = columnsOf([
    batchOf([stored('one', 'both', 'x'), stored('two', 'both')], 1),
    batchOf([stored('two', 'both', 'y'), stored('three', 'both')], 3),
  ])
  t.same(columns.attributeNamesByStream(), [['both', 'x'], ['both', 'y'], ['both']])
})

t.test('what is freed has no memory left', async t => {
  const record: LogRecord = { timestamp: 1, level: 'info', message: 'm', attributes: ['n', 'v'] }
  const stored: Stored = { record, stream: { service: 'a', environment: 'b' } }
  const columns = columnsOf([batchOf(Array(40_000).fill(stored), 1)])
  const { texts } = columns.attribute('n')!
  t.equal(texts.bytes.length, 40_000)
  columns.free()
  t.equal(texts.bytes.length, 0)
  t.equal(texts.offsets.length, 0)
})
