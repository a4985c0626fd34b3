import fs from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { realDisk } from '../../../src/disk/real-disk.ts'
import { allEntries } from '../../../src/index/entry.ts'
import { openBlockIndex } from '../../../src/index/open-index.ts'
import { journalPath } from '../../../src/journal/files.ts'
import { compactSegments } from '../../../src/store/maintain/compact.ts'
import { sealJournal, type WrittenSegment } from '../../../src/store/maintain/seal.ts'
import {
  type OpenedSegments,
  openSegments,
  refuseNewerSegments,
} from '../../../src/store/view/segments.ts'
import { dayMs } from '../../../src/time-units.ts'
import { checkout, search } from '../../journal/records.ts'
import { claimFormat } from '../../segment/other-formats.ts'
import { type StreamRecord, writeJournal } from '../../segment/sealed.ts'
import { filesIn } from '../maintain/sealed-records.ts'

interface Found {
  readonly opened: OpenedSegments
  /** Numbers of the segments that queries see, and of those that the index knows. */
  readonly shown: number[]
  readonly indexed: number[]
  readonly log: string
  /** Records that the index counts in all segments that queries see. */
  readonly count: number
}

/** A data directory as a process leaves it behind. */
class DataDir {
  readonly path: string
  readonly #paths: { segments: string; journal: string; quarantine: string }

  constructor(t: Test) {
    this.path = t.testdir({ segments: {}, journal: {} })
    this.#paths = {
      segments: join(this.path, 'segments'),
      journal: join(this.path, 'journal'),
      quarantine: join(this.path, 'quarantine'),
    }
  }

  /** Writes a journal file with two records on each of the given days, of two streams. */
  writeJournal(file: number, days: readonly number[]): string {
    const path = journalPath(this.#paths.journal, file)
    const at = (timestamp: number, stream = checkout): StreamRecord => {
      return { timestamp, level: 'info', message: 'm', attributes: [], stream }
    }
    const records = days.flatMap(day => [at(day * dayMs), at(day * dayMs + 1, search)])
    writeJournal(path, file, [records], 100 * file)
    return path
  }

  /** Seals such a journal file, and leaves it there. */
  seal(file: number, days: readonly number[], firstNumber: number): WrittenSegment[] {
    const path = this.writeJournal(file, days)
    const { segments: directory } = this.#paths
    return sealJournal({
      journal: { path, file },
      ...{ directory, receiptsDirectory: directory },
      ...{ firstNumber, createdAt: 0 },
    })
  }

  compact(segments: readonly WrittenSegment[], number: number): WrittenSegment {
    const places = segments.map(({ path, footer }) => ({ path, number: footer.number }))
    const { segments: directory } = this.#paths
    const day = segments[0]!.day
    return compactSegments({ segments: places, day, directory, number, createdAt: 0 })
  }

  removeJournal(file: number): void {
    fs.rmSync(journalPath(this.#paths.journal, file))
  }

  segmentNames(): string[] {
    return filesIn(this.#paths.segments)
  }

  /** Opens the segments, and says what was found and in which words. */
  async open(): Promise<Found> {
    let log = ''
    const logger = pino({ level: 'info', base: null }, { write: line => (log += line) })
    const openedIndex = await openBlockIndex(this.path, logger)
    const { index } = openedIndex
    try {
      const opened = await openSegments(this.#paths, openedIndex, logger, realDisk)
      const shown = [...opened.segments.all].map(({ number }) => number)
      const entries = [...opened.segments.entries(allEntries)]
      const count = entries.reduce((sum, { recordCount }) => sum + recordCount, 0)
      const indexed = [...index.summaries().keys()]
      return { opened, shown: shown.sort((a, b) => a - b), indexed, log, count }
    } finally {
      await index.close()
    }
  }
}

t.test('an empty directory begins with the first numbers', async t => {
  const { opened, shown, count } = await new DataDir(t).open()
  t.same([shown, count], [[], 0])
  t.match(opened, { nextNumber: 1, nextJournal: 1, nextSequence: 0 })
  t.equal(opened.replacedJournals.size, 0)
})

t.test('segments of a whole group are shown, and their journal file is done with', async t => {
  const data = new DataDir(t)
  data.seal(4, [0, 1], 7)
  for (const round of ['with the journal file', 'and without']) {
    const { opened, shown, count } = await data.open()
    t.same([shown, count], [[7, 8], 4], round)
    t.same([...opened.replacedJournals], [4])
    t.match(opened, { nextNumber: 9, nextJournal: 5, nextSequence: 404 })
    t.same(opened.segments.counts, { segments: 2, blocks: 4 })
    opened.segments.swap([], [7])
    t.same(opened.segments.counts, { segments: 1, blocks: 2 })
    if (round === 'with the journal file') data.removeJournal(4)
  }
})

t.test('a group that is not whole goes while its journal file is there', async t => {
  const data = new DataDir(t)
  data.seal(1, [0], 1)
  const cut = data.seal(2, [0, 1, 2], 2)
  fs.rmSync(cut[1]!.path)
  const { opened, shown, count, log } = await data.open()
  t.same([shown, count], [[1], 2])
  t.same([...opened.replacedJournals], [1], 'the file is read, and sealed again')
  t.equal(opened.nextNumber, 5, 'under numbers that were never used')
  t.match(log, /sealing was cut short/)
  t.equal(data.segmentNames().length, 1)
})

t.test('a group that is not whole is kept when its journal file is gone', async t => {
  const data = new DataDir(t)
  const sealed = data.seal(2, [0, 1, 2], 1)
  data.removeJournal(2)
  fs.rmSync(sealed[1]!.path) // As retention or compaction do.
  const { shown, count } = await data.open()
  t.same([shown, count], [[1, 3], 4])
})

t.test('segments that another one replaces are deleted', async t => {
  const data = new DataDir(t)
  const sealed = [1, 2, 3].flatMap(file => data.seal(file, [0], file))
  const compacted = data.compact(sealed.slice(0, 2), 4)
  const { opened, shown, count } = await data.open()
  t.same([shown, count], [[3, 4], 6])
  t.same(data.segmentNames(), ['1970-01-01/00000003.seg', '1970-01-01/00000004.seg'])
  t.same([...opened.replacedJournals].sort(), [1, 2, 3], 'no journal file comes into sight again')
  t.ok(fs.existsSync(compacted.path))
  t.match(opened, { nextNumber: 5, nextSequence: 302 })
})

t.test('the index forgets segments that are gone', async t => {
  const data = new DataDir(t)
  data.seal(1, [0], 1)
  const [gone] = data.seal(2, [0], 2)
  t.same((await data.open()).indexed, [1, 2])
  fs.rmSync(gone!.path)
  const { shown, indexed, count, log } = await data.open()
  t.same([shown, indexed, count], [[1], [1], 2])
  t.match(log, /building it anew/)
})

t.test('files that were not finished go', async t => {
  const data = new DataDir(t)
  const [sealed] = data.seal(1, [0], 1)
  fs.copyFileSync(sealed!.path, sealed!.path.replace('00000001.seg', '00000009.seg.tmp'))
  const { shown, opened } = await data.open()
  t.same(shown, [1])
  t.equal(opened.nextNumber, 2)
  t.same(data.segmentNames(), ['1970-01-01/00000001.seg'])
})

t.test('files of other names are left alone', async t => {
  const data = new DataDir(t)
  const [sealed] = data.seal(1, [0], 1)
  const others = ['notes.txt', '1.seg', '00000002.seg.bak'].map(name =>
    sealed!.path.replace('00000001.seg', name),
  )
  for (const path of others) fs.writeFileSync(path, 'mine')
  t.same((await data.open()).shown, [1])
  for (const path of others) t.ok(fs.existsSync(path), path)
})

t.test('a segment of a newer format is refused before anything is changed', async t => {
  const data = new DataDir(t)
  data.seal(1, [0], 1)
  const [newer] = data.seal(2, [0], 2)
  t.doesNotThrow(() => refuseNewerSegments(data.path))
  claimFormat(newer!.path, 9)
  const bytes = fs.readFileSync(newer!.path)
  fs.writeFileSync(newer!.path.replace('2.seg', '3.seg'), 'damaged, not newer')
  const before = data.segmentNames()
  const refusal = {
    name: 'SegmentVersionUnknown',
    message:
      /2\.seg: the segment has format 9, .* up to 3; start a version of Logstrata that is as new/,
  }
  t.throws(() => refuseNewerSegments(data.path), refusal)
  t.same(data.segmentNames(), before)
  t.same(fs.readFileSync(newer!.path), bytes)
  await t.rejects(data.open(), refusal)
})

t.test('what can be read of a damaged segment is shown', async t => {
  const data = new DataDir(t)
  const [sealed] = data.seal(1, [0], 1)
  const { size } = fs.statSync(sealed!.path)
  fs.truncateSync(sealed!.path, size - 1) // The first of the two footers is whole.
  const { shown, count, log } = await data.open()
  t.same([shown, count], [[1], 2])
  t.match(log, /intact blocks are served/)
})

t.test('a file with nothing of a segment in it goes to the quarantine', async t => {
  const data = new DataDir(t)
  const [sealed] = data.seal(1, [0], 1)
  fs.writeFileSync(sealed!.path, 'dear grandmother')
  const { shown, count, log, opened } = await data.open()
  t.same([shown, count], [[], 0])
  t.match(log, /nothing of it can be read/)
  t.equal(opened.nextNumber, 2)
  const kept = join(data.path, 'quarantine', '1970-01-01-00000001.seg')
  t.equal(fs.readFileSync(kept, 'utf8'), 'dear grandmother')
})
