import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { Disk } from '../../src/disk/disk.ts'
import { realDisk } from '../../src/disk/real-disk.ts'
import type { BlockRef } from '../../src/index/source.ts'
import { journalPath } from '../../src/journal/files.ts'
import { everyRecord } from '../../src/language/ast.ts'
import type { CollectorRequest } from '../../src/query/collect/collector.ts'
import { Predicate } from '../../src/query/predicate.ts'
import { rebuildRecords } from '../../src/query/rebuild-rows.ts'
import { scanSources } from '../../src/query/scan.ts'
import type { RebuildPart, ScanQuery, ScanResult, ScanSource } from '../../src/query/scan-task.ts'
import { SourceReader } from '../../src/query/source-reader.ts'
import type { Order } from '../../src/query/top-k.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'
import { countedReads } from '../segment/counted-reads.ts'
import { type StreamRecord, writeJournal } from '../segment/sealed.ts'
import { arbitraryGrouping, matchesPlainly, object } from './plain.ts'
import { makeSources, sealedBlocks } from './sources.ts'

function scan(sources: readonly ScanSource[], query: ScanQuery, reader: SourceReader): ScanResult {
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const turn = { turnMs: Number.POSITIVE_INFINITY, longMs: Number.POSITIVE_INFINITY, cancelled }
  const task = { query, sources, bound: undefined, rebuildsRecords: true, turn }
  const result = scanSources(task, reader)
  reader.trim()
  return result
}

/** The records of the candidates, each rebuilt for itself. */
function rebuild(sources: readonly ScanSource[], found: ScanResult, reader: SourceReader) {
  const parts = found.candidates.map(({ source: number, frameOffset, frameBytes, row }) => {
    const source = sources[number]!
    const isFrame = source.source.kind === 'journal'
    const frame = isFrame ? { offset: frameOffset, bytes: frameBytes } : undefined
    return { source, frame, rows: [row] } satisfies RebuildPart
  })
  const result = rebuildRecords({ parts, selector: everyRecord }, reader)
  reader.trim()
  return result
}

t.test('answers are the same, whatever the memory for what was decoded', async t => {
  const { records, sources } = makeSources(t.testdir())
  const without = new SourceReader(0)
  const small = new SourceReader(100_000)
  const large = new SourceReader(1e9)
  const asked = object({
    limit: fc.integer({ min: 0, max: 20 }),
    order: fc.constantFrom<Order>('asc', 'desc'),
    startTime: fc.integer({ min: -1, max: 50 }),
    endTime: fc.integer({ min: 10, max: 61 }),
    histogram: fc.record({
      kind: fc.constant('histogram' as const),
      bucketMs: fc.integer({ min: 1, max: 50 }),
    }),
  })
  forAll(longRuns(150), arbitraryGrouping, asked, ({ selector, by }, { histogram, ...more }) => {
    const collector: CollectorRequest = by.length > 0 ? { kind: 'groups', by } : histogram
    const scanQuery: ScanQuery = { ...more, selector, after: undefined, collector }
    const plain = scan(sources, scanQuery, without)
    const isMatching = (record: StreamRecord) =>
      record.timestamp >= more.startTime &&
      record.timestamp <= more.endTime &&
      matchesPlainly(selector, record, record.stream)
    assert.equal(plain.count, records.filter(isMatching).length)
    const rebuilt = rebuild(sources, plain, without)
    assert.deepEqual(plain.records, rebuilt.records)
    for (const { timestamp, stream, ...record } of rebuilt.records as StreamRecord[]) {
      assert.ok(isMatching({ timestamp, stream, ...record }))
    }
    for (const reader of [small, large]) {
      assert.deepEqual(scan(sources, scanQuery, reader), plain)
      assert.deepEqual(rebuild(sources, plain, reader), rebuilt)
    }
  })
})

t.test('trim forgets blocks until the rest fits, and little more than needed', async t => {
  const { sources } = makeSources(t.testdir())
  const blocks = sources.filter(({ source }) => source.kind === 'block')
  t.ok(blocks.length > 10)
  const keeps = (cacheBytesMax: number, isWanted: (kept: boolean[]) => boolean, what: string) => {
    const reader = new SourceReader(cacheBytesMax)
    const opened = blocks.map(source => reader.block(source))
    for (const block of opened) block.record(0) // Opens every column.
    reader.trim()
    const kept = opened.map((block, i) => reader.block(blocks[i]!) === block)
    const held = opened.filter((_, i) => kept[i]).reduce((sum, block) => sum + block.heldBytes, 0)
    t.ok(held <= cacheBytesMax, `${held} of ${cacheBytesMax} bytes are held`)
    t.ok(isWanted(kept), `${what}: ${kept.map(Number).join('')}`)
  }
  const count = (kept: boolean[]) => kept.filter(Boolean).length

  keeps(0, kept => count(kept) === 0, 'none')
  keeps(1e9, kept => count(kept) === kept.length, 'all')
  keeps(60_000, kept => count(kept) > 2 && count(kept) < kept.length, 'some')
})

t.test('what a trim leaves has room for the next small task', async t => {
  const { sources } = makeSources(t.testdir())
  const blocks = sources.filter(({ source }) => source.kind === 'block')
  /** Bytes of all blocks, and of those that a trim leaves of them. */
  const trimmed = (cacheBytesMax: number) => {
    const reader = new SourceReader(cacheBytesMax)
    const opened = blocks.map(source => reader.block(source))
    for (const block of opened) block.record(0) // Opens every column.
    const bytes = opened.reduce((sum, { heldBytes }) => sum + heldBytes, 0)
    reader.trim()
    const left = opened.filter((block, i) => reader.block(blocks[i]!) === block)
    return { bytes, leftBytes: left.reduce((sum, { heldBytes }) => sum + heldBytes, 0) }
  }
  const { bytes } = trimmed(1e9)
  t.equal(trimmed(bytes).leftBytes, bytes)
  const { leftBytes } = trimmed(bytes - 1)
  t.ok(leftBytes <= (bytes * 15) / 16, `${leftBytes} of ${bytes} bytes are left`)
  t.ok(leftBytes > bytes / 2, `${leftBytes} of ${bytes} bytes are left`)
})

t.test(
  'a block that was read in passing is let go of, unless a query has asked for it',
  async t => {
    const { sources } = makeSources(t.testdir())
    const [passed, wanted] = sources.filter(({ source }) => source.kind === 'block')
    const reader = new SourceReader(1e9)
    const first = [passed!, wanted!].map(source => reader.block(source, 'passing'))
    reader.block(wanted!)
    for (const source of [passed!, wanted!]) reader.shed(source)
    t.not(reader.block(passed!), first[0])
    t.equal(reader.block(wanted!), first[1])
  },
)

t.test('blocks of segments that are gone are let go of, and no others', async t => {
  const { sources } = makeSources(t.testdir())
  const blocks = sources.filter(({ source }) => source.kind === 'block')
  const segmentOf = ({ source }: ScanSource) => (source.kind === 'block' ? source.segment : -1)
  const gone = segmentOf(blocks[0]!)
  t.ok(blocks.some(block => segmentOf(block) !== gone))
  const reader = new SourceReader(1e9)
  const before = blocks.map(source => reader.block(source))
  reader.trim()
  reader.forgetSegments(new Set([gone, 999]))
  for (const [i, block] of blocks.entries()) {
    t.equal(reader.block(block) === before[i], segmentOf(block) !== gone)
  }
})

/** A block in each of two segments, with more words than one filter has room for. */
function blocksOfWords(directory: string): ScanSource[] {
  return [1, 2].flatMap(file => {
    const path = journalPath(directory, file)
    const wordsOf = (at: number) =>
      Array.from({ length: 20 }, (_, i) => `w${file}x${20 * at + i}`).join(' ')
    const records = Array.from({ length: 1_000 }, (_, at): StreamRecord => {
      const stream = { service: 'a', environment: 'b' }
      return { timestamp: at % 60, level: 'info', message: wordsOf(at), attributes: [], stream }
    })
    writeJournal(path, file, [records], 1_000 * file)
    return sealedBlocks(directory, path, file)
  })
}

t.test('a segment that is gone gives back the room that its token filters were in', async t => {
  const [gone, other, ...more] = blocksOfWords(t.testdir())
  t.same(more, [])
  const { disk, reads } = countedReads()
  const absent: ScanQuery = {
    ...{ startTime: 0, endTime: 60, limit: 0, order: 'asc', after: undefined },
    ...{ selector: { ...everyRecord, filters: [{ operator: '|=', text: ' w3x9876 ' }] } },
    collector: undefined,
  }
  const readsOf = (block: ScanSource, reader: SourceReader) => {
    const before = reads()
    t.equal(scan([block], absent, reader).count, 0)
    return reads() - before
  }
  // A twelfth of it is for filters, which is one of these and a half.
  const reader = new SourceReader(800_000, disk, 2)
  const thrice = (block: ScanSource) => [1, 2, 3].map(() => readsOf(block, reader))
  t.same(thrice(gone!), [2, 1, 0], 'the skip index and a page, then the whole filter')
  t.same(thrice(other!), [2, 1, 1], 'for this one there is no room')
  reader.forgetSegments(new Set([1]))
  t.same(thrice(other!), [1, 0, 0])
})

t.test('so many segments stay open from task to task, and none that is gone', async t => {
  const { sources } = makeSources(t.testdir())
  const blocks = sources.filter(({ source }) => source.kind === 'block')
  const segments = [...new Set(blocks.map(({ source }) => (source as BlockRef).segment))]
  t.ok(segments.length > 1)
  const open: string[] = []
  let opened = 0
  let most = 0
  const disk: Disk = {
    ...realDisk,
    openSync(path) {
      const file = realDisk.openSync(path)
      open.push(path)
      opened++
      most = Math.max(most, open.length)
      const close = () => {
        file.close()
        open.splice(open.indexOf(path), 1)
      }
      const size = () => file.size()
      return { size, read: (...asked) => file.read(...asked), close }
    },
  }
  const query: ScanQuery = {
    ...{ selector: everyRecord, startTime: 0, endTime: 60, limit: 5, order: 'asc' },
    ...{ after: undefined, collector: undefined },
  }
  // Nothing stays decoded, so that each task reads all files.
  const openAfterTask = (reader: SourceReader) => {
    opened = 0
    scan(blocks, query, reader)
    return [opened, open.length]
  }
  t.same(openAfterTask(new SourceReader(0, disk)), [segments.length, 0])
  const few = new SourceReader(0, disk, 1)
  t.same(openAfterTask(few), [segments.length, 1])
  few.closeFiles()
  t.same(open, [])
  const many = new SourceReader(0, disk, segments.length)
  t.same(openAfterTask(many), [segments.length, segments.length])
  t.same(openAfterTask(many), [0, segments.length])
  const [gone] = segments
  const { path } = blocks.find(({ source }) => (source as BlockRef).segment === gone)!
  many.forgetSegments(new Set([gone!, 999]))
  t.equal(open.length, segments.length - 1)
  t.notOk(open.includes(path))
  t.same(openAfterTask(many), [1, segments.length])
  many.closeFiles()
  t.same(open, [])
  most = 0
  const whole = scan(blocks, query, new SourceReader(1e9, disk))
  t.equal(most, segments.length, 'a task has all open that it is about')
  most = 0
  const inTurn = scan(blocks, query, new SourceReader(1e9, disk, 0, 0))
  t.equal(most, 1, 'or no more than it may')
  t.same(inTurn, whole)
})

t.test('a scan whose turn is over while others wait has taken some sources', async t => {
  const { sources: all } = makeSources(t.testdir())
  const sources = all.filter(({ source }) => source.kind === 'block') // Of a range it takes parts.
  const reader = new SourceReader(1e9)
  const everything = {
    startTime: 0,
    endTime: 60,
    limit: 5,
    order: 'asc',
    after: undefined,
  } as const
  const query: ScanQuery = { ...everything, selector: everyRecord, collector: undefined }
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const scanAll = (taskCount: Int32Array) => {
    const turn = { turnMs: -1, longMs: Number.POSITIVE_INFINITY, cancelled, taskCount }
    return scanSources({ query, sources, bound: undefined, rebuildsRecords: true, turn }, reader)
  }
  t.equal(scanAll(Int32Array.of(1)).sourcesTaken, sources.length, 'nobody waits')
  let count = 0
  let turns = 0
  for (let rest: readonly ScanSource[] = sources; rest.length > 0; turns++) {
    const others = Int32Array.of(2)
    const turn = { turnMs: -1, longMs: Number.POSITIVE_INFINITY, cancelled, taskCount: others }
    const task = { query, sources: rest, bound: undefined, rebuildsRecords: true, turn }
    const result = scanSources(task, reader)
    t.equal(result.sourcesTaken, 1)
    t.equal(result.records !== undefined, rest.length === 1, 'records are for a whole task')
    count += result.count
    rest = rest.slice(result.sourcesTaken)
  }
  t.equal(turns, sources.length)
  t.equal(count, scanAll(Int32Array.of(1)).count)
})

t.test('a block whose file was closed is read on when it is asked for more', async t => {
  const { sources } = makeSources(t.testdir())
  const block = sources.find(({ source }) => source.kind === 'block')!
  const reader = new SourceReader(1e9)
  const first = reader.block(block)
  reader.trim()
  t.equal(reader.block(block), first)
  t.equal(first.record(0).message, first.message.textAt(0))
})

const openFiles = '/proc/self/fd'

t.test('a task of many blocks holds little more than the budget at any time', async t => {
  const { sources } = makeSources(t.testdir())
  const blocks = sources.filter(({ source }) => source.kind === 'block')
  const sizeOf = (reader: SourceReader, source: ScanSource) => {
    const block = reader.block(source)
    block.message.toTextColumn()
    return block.heldBytes
  }
  const all = blocks.map(source => sizeOf(new SourceReader(1e9), source))
  t.ok(all.length > 3)
  const reader = new SourceReader(all[0]! + all[1]!)
  const opened = blocks.map(source => {
    const columns = reader.block(source)
    columns.message.toTextColumn()
    reader.taken(source)
    return columns
  })
  const kept = blocks.filter((source, i) => reader.block(source) === opened[i])
  t.ok(kept.length >= 1 && kept.length <= 3, `${kept.length} of ${blocks.length} are kept`)
})

t.test(
  'after a trim no file is open',
  { skip: !fs.existsSync(openFiles) && 'only Linux tells' },
  async t => {
    const directory = fs.realpathSync(t.testdir())
    const { sources } = makeSources(directory)
    const openBelow = () =>
      fs.readdirSync(openFiles).filter(fd => {
        try {
          return fs.readlinkSync(join(openFiles, fd)).startsWith(directory)
        } catch {
          return false // The one through which this list was read.
        }
      }).length
    const reader = new SourceReader(1e9)
    for (const source of sources) {
      if (source.source.kind === 'block') reader.block(source)
      else for (const _frame of reader.frames(source, () => true));
    }
    t.equal(openBelow(), 2, 'one a segment')
    reader.trim()
    t.equal(openBelow(), 0)
  },
)

t.test('a reader gives no frames of a block and no block of a journal file', async t => {
  const { sources } = makeSources(t.testdir())
  const reader = new SourceReader(0)
  const block = sources.find(({ source }) => source.kind === 'block')!
  const range = sources.find(({ source }) => source.kind === 'journal')!
  t.throws(() => [...reader.frames(block, () => true)], TypeError)
  t.throws(() => reader.frame(block, { offset: 20, bytes: 40 }), TypeError)
  t.throws(() => reader.block(range), TypeError)
})

t.test('of the levels of a block is told what its records say', async t => {
  const { sources } = makeSources(t.testdir())
  const reader = new SourceReader(1e9)
  const blocks = sources.filter(({ source }) => source.kind === 'block')
  const told = reader.levelEnds(sources)
  t.same(
    told.filter((_, i) => sources[i]!.source.kind === 'journal'),
    [undefined],
  )
  for (const source of blocks) {
    const columns = reader.block(source)
    const rows = Array.from({ length: columns.recordCount }, (_, row) => row)
    const byLevel = Map.groupBy(rows, row => columns.levels[columns.levelCodes[row]!]!)
    const plainly = [...byLevel].map(([level, own]) => {
      const [first, last] = [columns.timestamp(own[0]!), columns.timestamp(own.at(-1)!)]
      return { level, count: own.length, first, last }
    })
    const byName = (a: { level: string }, b: { level: string }) => (a.level < b.level ? -1 : 1)
    t.same(told[source.number]?.toSorted(byName), plainly.sort(byName))
  }
  t.ok(blocks.length > 2)
})

t.test(
  'with the ends of levels all is read that rules blocks out, as far as there is room',
  async t => {
    const { sources } = makeSources(t.testdir())
    const blocks = sources.filter(({ source }) => source.kind === 'block')
    const { disk, reads } = countedReads()
    const nowhere = (value: string) => ({
      kind: 'selector' as const,
      matchers: [],
      filters: [{ operator: '|=' as const, text: value }],
    })
    const ask = (cacheBytesMax: number) => {
      const reader = new SourceReader(cacheBytesMax, disk)
      const atFirst = reads()
      reader.levelEnds(blocks)
      reader.trim()
      const readsAhead = reads() - atFirst
      const answers = ['zqzqzq', '0zqz7', 'e'].flatMap(text =>
        blocks.map(source => [
          reader.skip(source, new Predicate(nowhere(text))),
          reader.told(source)?.toldValues('host')?.counts,
        ]),
      )
      return { answers, readsAhead, readsNow: reads() - atFirst - readsAhead }
    }
    const ahead = ask(1e9)
    const plainly = ask(0)
    t.equal(ahead.readsNow, 0)
    t.ok(plainly.readsNow > 0, 'where nothing is kept')
    t.ok(plainly.readsAhead < ahead.readsAhead, 'nothing is read ahead where it would not be kept')
    t.same(ahead.answers, plainly.answers)
  },
)
