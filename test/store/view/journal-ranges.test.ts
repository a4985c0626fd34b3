/** What queries see of the journal: the same while frames are written, and after a start that read them. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { allEntries } from '../../../src/index/entry.ts'
import { Batch } from '../../../src/journal/batch-reader.ts'
import { BatchWriter } from '../../../src/journal/batch-writer.ts'
import type { CommittedFrame } from '../../../src/journal/journal.ts'
import { RecoveredRanges } from '../../../src/journal/recovered-ranges.ts'
import type { LogRecord, Stream } from '../../../src/record.ts'
import { JournalRanges } from '../../../src/store/view/journal-ranges.ts'
import { forAll } from '../../for-all.ts'
import { arbitraryRecord, plainRecord } from '../../journal/records.ts'

const streams: readonly Stream[] = ['a', 'b', 'é', ''].flatMap(service =>
  ['prod', 'ab', ''].map(environment => ({ service, environment })),
)

type Row = readonly [record: LogRecord, stream: Stream]

interface WrittenFrame extends CommittedFrame {
  readonly payload: Buffer
}

/** The frame of some records, as it were at this place and of this size. */
function frameOf(rows: readonly Row[], file: number, offset: number, bytes: number): WrittenFrame {
  const writer = new BatchWriter()
  for (const [record, stream] of rows) writer.add(record, stream)
  const { payload, recordCount, minTimestamp, maxTimestamp, streams } = writer.encode()
  const firstSequence = offset
  const payloadBytes = payload.length
  const header = { payloadBytes, recordCount, firstSequence, minTimestamp, maxTimestamp }
  return { file, offset, bytes, header, streams, payload }
}

/** All that a query may see of some ranges. */
function seen(ranges: JournalRanges, arrivedAfter = -1) {
  const entries = ranges
    .entries({ ...allEntries, arrivedAfter })
    .map(({ stream, levelCounts, ...entry }) => {
      const counts = new Map<unknown, unknown>()
      for (let i = 0; i < levelCounts.length; i += 2) counts.set(levelCounts[i], levelCounts[i + 1])
      const { service, environment } = stream
      return { ...entry, service, environment, counts }
    })
  return { entries, recordCount: ranges.recordCount, files: [...ranges.files] }
}

function recovered(frames: readonly WrittenFrame[]): JournalRanges {
  const ranges = new JournalRanges()
  const found = new RecoveredRanges(range => ranges.addWhole(range))
  const memory = Buffer.alloc(64 * 1024)
  for (const frame of frames) {
    // As a window of the file: the next frame takes the memory.
    frame.payload.copy(memory, 3)
    found.add({ ...frame, payload: memory.subarray(3, 3 + frame.payload.length) })
  }
  found.end()
  return ranges
}

const arbitraryRow: fc.Arbitrary<Row> = fc.tuple(
  fc
    .tuple(arbitraryRecord, fc.constantFrom('info', 'warn', 'error', 'fatal', 'debug'))
    .map(([record, level]) => ({ ...record, level })),
  fc.constantFrom(...streams),
)

const arbitraryFrames = fc
  .array(
    fc.record({
      rows: fc.array(arbitraryRow, { minLength: 1, maxLength: 12 }),
      // Some are as large as a third of a range, so that ranges end.
      bytes: fc.constantFrom(100, 1_500_000),
      gap: fc.constantFrom(0, 0, 0, 7),
      isInNextFile: fc.constantFrom(false, false, false, true),
    }),
    { maxLength: 12 },
  )
  .map(made => {
    let [file, offset] = [1, 20]
    return made.map(({ rows, bytes, gap, isInNextFile }) => {
      if (isInNextFile) {
        file++
        offset = 20
      }
      const frame = frameOf(rows, file, offset + gap, bytes)
      offset += gap + bytes
      return frame
    })
  })

t.test('a start sees what was seen while the frames were written', async () => {
  forAll({ numRuns: 300 }, arbitraryFrames, frames => {
    const written = new JournalRanges()
    written.add(frames)
    assert.deepEqual(seen(recovered(frames)), seen(written))
  })
})

t.test('who asks while frames come sees what he would who asks for the first time', async () => {
  forAll({ numRuns: 200 }, arbitraryFrames, frames => {
    const asked = new JournalRanges()
    frames.forEach((frame, i) => {
      asked.add([frame])
      const fresh = new JournalRanges()
      fresh.add(frames.slice(0, i + 1))
      assert.deepEqual(seen(asked), seen(fresh))
    })
  })
})

t.test('a batch with every width of numbers is counted as the plain reader counts it', async t => {
  const [a, b] = [streams[0]!, streams[1]!]
  const counts = (times: readonly number[]) => {
    const rows = times.map((time, i): Row => [plainRecord('x', time), i % 2 === 0 ? a : b])
    const frame = frameOf(rows, 1, 20, 100)
    t.same(new Batch(frame).summarise(), frame.streams)
    const written = new JournalRanges()
    written.add([frame])
    t.same(seen(recovered([frame])), seen(written))
  }
  counts([5, 5, 5])
  counts([-9, 240])
  counts([1_700_000_000_000, 1_700_000_000_300])
  counts([0, 100_000, 4_000_000_000])
  counts([0, 5_000_000_000])
  counts([-8.64e15, 8.64e15])
  // More streams than a byte tells, and more records than memory was made for at first.
  const many = Array.from({ length: 3_000 }, (_, i): Row => {
    return [plainRecord('x', i), { service: `service ${i % 300}`, environment: 'prod' }]
  })
  const frame = frameOf(many.slice(0, 299), 1, 20, 100)
  const distinct = new Map(many.map(([, stream]) => [stream.service, stream]))
  const shared = many.map(([record, stream]): Row => [record, distinct.get(stream.service)!])
  const large = frameOf(shared, 1, 120, 100)
  const written = new JournalRanges()
  written.add([frame, large])
  const found = new JournalRanges()
  const ranges = new RecoveredRanges(range => found.addWhole(range))
  for (const one of [frame, large]) ranges.add(one)
  ranges.end()
  t.same(seen(found), seen(written))
})

t.test('a payload that is no batch is refused', async t => {
  const frame = frameOf([[plainRecord('x'), streams[0]!]], 1, 20, 100)
  const refuses = (payload: Buffer) =>
    t.throws(() => new RecoveredRanges(() => {}).add({ ...frame, payload }), RangeError)
  refuses(Buffer.alloc(0))
  refuses(Buffer.from('no batch'))
  refuses(frame.payload.subarray(0, 8))
})

t.test('a frame of another file never goes on with a range, whatever its offset', async t => {
  const frames = [1, 2].map(file => {
    return frameOf([[plainRecord('x'), streams[0]!]], file, file === 1 ? 20 : 120, 100)
  })
  const written = new JournalRanges()
  written.add(frames)
  for (const ranges of [written, recovered(frames)]) {
    t.match(seen(ranges).entries, [
      { source: { file: 1, offset: 20, bytes: 100 } },
      { source: { file: 2, offset: 120, bytes: 100 } },
    ])
  }
})

t.test('a file that is dropped is out of sight, and frames that it gets later are not', async t => {
  const ranges = new JournalRanges()
  const at = (file: number, offset: number) =>
    frameOf([[plainRecord('x'), streams[0]!]], file, offset, 100)
  ranges.add([at(1, 20), at(1, 120), at(2, 20)])
  t.match(seen(ranges), { recordCount: 3, files: [1, 2], entries: { length: 2 } })
  t.ok(ranges.hasFile(2))
  ranges.dropFile(2)
  t.match(seen(ranges), { recordCount: 2, files: [1], entries: { length: 1 } })
  ranges.dropFile(2)
  ranges.add([at(2, 120)])
  t.match(seen(ranges), { recordCount: 3, files: [1, 2], entries: { length: 2 } })
  t.match(seen(ranges, 119).entries, [{ source: { file: 1 } }, { source: { file: 2 } }])
  t.match(seen(ranges, 120).entries, [])
})
