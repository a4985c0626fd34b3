import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { journalPath } from '../../../src/journal/files.ts'
import { blockRecordsMax } from '../../../src/segment/block-builder.ts'
import { dayOf } from '../../../src/segment/files.ts'
import { readFooter } from '../../../src/segment/footer.ts'
import { verifySegment } from '../../../src/segment/verify.ts'
import { sealJournal, type WrittenSegment } from '../../../src/store/maintain/seal.ts'
import { dayMs } from '../../../src/time-units.ts'
import { forAll } from '../../for-all.ts'
import { checkout, search } from '../../journal/records.ts'
import { longRuns } from '../../long-runs.ts'
import { type StreamRecord, writeJournal } from '../../segment/sealed.ts'
import { arbitraryFrames, arrived, blocksOf, filesIn, recordsOf } from './sealed-records.ts'

const file = 7

/** Writes frames to a journal file in a directory and seals it there. */
function seal(directory: string, lists: readonly StreamRecord[][]): WrittenSegment[] {
  const path = journalPath(directory, file)
  writeJournal(path, file, lists)
  return sealJournal({
    journal: { path, file },
    ...{ directory, receiptsDirectory: directory },
    ...{ firstNumber: 11, createdAt: 99 },
  })
}

function record(timestamp: number, more: Partial<StreamRecord> = {}): StreamRecord {
  return { timestamp, level: 'info', message: 'm', attributes: [], stream: checkout, ...more }
}

t.test('a journal file is sealed exactly, by day and stream, in order of time', async t => {
  const root = t.testdir()
  let run = 0
  forAll(longRuns(40), arbitraryFrames, lists => {
    const written = seal(join(root, `${run++}`), lists)
    assert.deepEqual(recordsOf(written), arrived(lists))
    const days = new Set(lists.flat().map(({ timestamp }) => dayOf(timestamp)))
    assert.deepEqual(
      written.map(({ day }) => day),
      [...days].sort(),
    )
    for (const segment of written) {
      const { path, day, footer } = segment
      assert.deepEqual(readFooter(path), footer, 'what is handed on is what the file says')
      assert.deepEqual(verifySegment(path), [])
      const streams = footer.blocks.map(({ stream }) => stream.service)
      assert.equal(new Set(streams).size, streams.length, 'few records of a stream are one block')
      for (const block of blocksOf(segment)) {
        const times = block.map(({ record }) => (record as StreamRecord).timestamp)
        for (const time of times) assert.equal(dayOf(time), day)
        const inOrder = block.toSorted(
          (a, b) =>
            (a.record as StreamRecord).timestamp - (b.record as StreamRecord).timestamp ||
            a.sequence - b.sequence,
        )
        assert.deepEqual(block, inOrder, 'by time and then by arrival')
      }
    }
  })
})

t.test('the footers say what is replaced and which segments count together', async t => {
  const lists = [[record(0), record(dayMs, { stream: search })], [record(2 * dayMs)], [record(1)]]
  const written = seal(t.testdir(), lists)
  t.same(
    written.map(({ day, footer }) => [day, footer.number]),
    [
      ['1970-01-01', 11],
      ['1970-01-02', 12],
      ['1970-01-03', 13],
    ],
  )
  for (const { footer } of written) {
    t.same(footer.replaces, { journals: [file], segments: [] })
    t.same(footer.group, [11, 12, 13])
    t.equal(footer.createdAt, 99)
  }
})

t.test('attributes stay as they were: in some records, in all, empty, of any name', async t => {
  const root = t.testdir()
  let run = 0
  const keeps = (...attributes: string[][]) => {
    const lists = [attributes.map(attributes => record(1, { attributes }))]
    const written = seal(join(root, `${run++}`), lists)
    t.same(recordsOf(written), arrived(lists), JSON.stringify(attributes))
  }
  keeps([], [])
  keeps(['in.all', 'a'], ['in.all', 'b'])
  keeps([], ['in.some', 'a'], [], ['in.some', ''], [])
  keeps(['first', 'a'], [], [])
  keeps([], [], ['last', 'a'])
  keeps(['', ''], ['', 'a'], [])
  keeps(['__proto__', 'a', 'constructor', 'b'], ['__proto__', ''])
  keeps(['message', 'a', 'timestamp', '1', 'log_level', 'fatal', 'sequence', '2'])
  keeps(['é', '\0\n"\\'], ['😀', '日本'], ['é', 'é'])
  keeps(['n', '007'], ['n', '7'], ['n', '-0'], ['n', '1e3'], ['n', '9007199254740993'])
})

t.test('a thousand days make 32 files at most, and the rare days share one', async t => {
  const days = Array.from({ length: 1_000 }, (_, day) => day)
  const frequent = (day: number) => day % 31 === 5 && day < 900
  const records = days.flatMap(day =>
    Array.from({ length: frequent(day) ? 3 : 1 }, (_, i) =>
      record(day * dayMs + i, { message: `${day}.${i}`, stream: day % 2 ? checkout : search }),
    ),
  )
  const lists = [records.slice(0, 400), records.slice(400)]
  const written = seal(t.testdir(), lists)
  t.equal(written.length, 32)
  t.same(recordsOf(written), arrived(lists), 'nothing is lost')
  const mixed = written.filter(({ day, footer }) =>
    footer.blocks.some(({ minTimestamp }) => dayOf(minTimestamp) !== day),
  )
  t.equal(mixed.length, 1)
  t.equal(mixed[0]!.day, dayOf(999 * dayMs), 'in the folder of its latest day')
  const own = written.filter(segment => segment !== mixed[0]).map(({ day }) => day)
  for (const day of days.filter(frequent)) t.ok(own.includes(dayOf(day * dayMs)), `day ${day}`)
})

t.test('many records make blocks of about the same size, none too large', async t => {
  const count = 70_000
  // Times go back and forth, so that the order of time is not that of arrival.
  const records = Array.from({ length: count }, (_, i) =>
    record((i * 7_919) % 50_000, { message: '', level: i % 3 ? 'info' : 'warn' }),
  )
  const lists = Array.from({ length: 7 }, (_, i) => records.slice(i * 10_000, (i + 1) * 10_000))
  const [segment, ...more] = seal(t.testdir(), lists)
  t.equal(more.length, 0)
  const sizes = segment!.footer.blocks.map(({ recordCount }) => recordCount)
  t.equal(sizes.length, Math.ceil(count / blockRecordsMax))
  t.ok(Math.max(...sizes) - Math.min(...sizes) <= 1, sizes.join())
  const sealed = blocksOf(segment!).flat()
  const expected = arrived(lists).sort(
    (a, b) =>
      (a.record as StreamRecord).timestamp - (b.record as StreamRecord).timestamp ||
      a.sequence - b.sequence,
  )
  t.ok(
    sealed.every(({ sequence }, i) => sequence === expected[i]!.sequence),
    'from block to block in order of time and arrival',
  )
  for (const { recordCount, levelCounts } of segment!.footer.blocks) {
    t.equal(
      levelCounts.reduce((sum, [, count]) => sum + count, 0),
      recordCount,
    )
  }
})

t.test('a damaged frame costs its records only', async t => {
  const directory = t.testdir()
  const path = journalPath(directory, file)
  const lists = [[record(1)], [record(2), record(3)], [record(4)]]
  const starts = writeJournal(path, file, lists)
  const bytes = fs.readFileSync(path)
  bytes[starts[1]! + 45]! ^= 1
  fs.writeFileSync(path, bytes)
  const task = {
    journal: { path, file },
    ...{ directory, receiptsDirectory: directory },
    ...{ firstNumber: 1, createdAt: 0 },
  }
  t.same(
    recordsOf(sealJournal(task)).map(({ sequence }) => sequence),
    [1, 4],
  )
})

t.test('a journal file without records makes no segment', async t => {
  t.same(seal(t.testdir(), []), [])
})

t.test('when one segment cannot be written, there is none', async t => {
  // A file stands where the folder of the second day would be.
  const directory = t.testdir({ '1970-01-02': 'in the way' })
  t.throws(() => seal(directory, [[record(0), record(dayMs), record(2 * dayMs)]]), {
    name: 'SegmentWriteFailed',
  })
  t.same(filesIn(directory), ['00000007.log'])
})
