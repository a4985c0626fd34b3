/** Requests that are too large for one commit, on a journal of their own. */
import t, { type Test } from 'tap'
import { BatchWriter, type EncodedBatch } from '../../src/journal/batch-writer.ts'
import { journalPath, listJournalFiles } from '../../src/journal/files.ts'
import { PartPace } from '../../src/journal/part-pace.ts'
import { recoverFile } from '../../src/journal/recover.ts'
import { openJournal } from './open-journal.ts'
import { checkout, plainRecord } from './records.ts'

const mib = 1024 * 1024

function open(t: Test, pendingBytesMax = 64 * mib, partPace = new PartPace()) {
  const config = { journalFileBytes: 1024 * mib, pendingBytesMax }
  const opened = openJournal(t, config, { partPace })
  t.teardown(() => opened.journal.close())
  return opened
}

/** As many batches, each of one record of 256 KiB. */
function batchesOf(count: number): EncodedBatch[] {
  return Array.from({ length: count }, () => {
    const writer = new BatchWriter()
    writer.add(plainRecord('x'.repeat(256 * 1024)), checkout)
    return writer.encode()
  })
}

/** A batch of so many records that are as small as can be. */
function tinyBatch(records: number): EncodedBatch {
  const writer = new BatchWriter()
  for (let i = 0; i < records; i++) writer.add(plainRecord(''), checkout)
  return writer.encode()
}

function recordsOnDisk(directory: string): number {
  let records = 0
  for (const file of listJournalFiles(directory)) {
    const path = journalPath(directory, file)
    recoverFile(path, file, 0, frame => {
      records += frame.header.recordCount
    })
  }
  return records
}

t.test('a large request goes to disk in parts, and others are answered between them', async t => {
  const { journal, directory, commits } = open(t)
  const answered: string[] = []
  const large = journal.appendBatches(batchesOf(40)).then(() => answered.push('large'))
  const small = async () => {
    while (!answered.includes('large')) {
      await journal.append(plainRecord('small'), checkout)
      answered.push('small')
    }
  }
  await Promise.all([large, small()])
  t.ok(answered.indexOf('large') >= 4, `after ${answered.indexOf('large')} small ones`)
  const largest = Math.max(...commits.map(frames => frames.length))
  t.ok(largest <= 3, 'two batches of it in a commit, and the small one')
  t.equal(commits.flat().length, 40 + answered.length - 1)
  t.equal(recordsOnDisk(directory), 40 + answered.length - 1)
})

t.test('what came meanwhile goes to disk alone, before the next part', async t => {
  const { journal, disk, commits } = open(t)
  const letGo = disk.hold()
  const large = journal.appendBatches(batchesOf(6))
  await disk.syncBegins()
  const small = Promise.all([1, 2, 3].map(() => journal.append(plainRecord('small'), checkout)))
  letGo()
  await small
  t.same(commits, [[1, 1], [3]])
  await large
  t.same(commits, [[1, 1], [3], [1, 1], [1, 1]])
})

t.test('while others send, the disk rests after a part for as long as it took', async t => {
  let clockMs = 0
  const { journal, disk, commits } = open(t, 64 * mib, new PartPace(() => clockMs))
  const small = () => journal.append(plainRecord('small'), checkout)
  await small()
  const held = Promise.withResolvers<void>()
  disk.held = held.promise
  const before = disk.syncCount
  const large = journal.appendBatches(batchesOf(4))
  while (disk.syncCount === before) await new Promise(setImmediate)
  await new Promise(resolve => setTimeout(resolve, 5)) // The part takes so long at least.
  held.resolve()
  while (commits.length < 2) await new Promise(setImmediate)
  for (let i = 0; i < 3; i++) await small()
  t.same(commits, [[1], [1, 1], [1], [1], [1]], 'the clock stands still: no part is due')
  clockMs = 60_000
  await large
  t.same(commits.slice(5), [[1, 1]])
})

t.test('small ones go before a part that is due, but only once', async t => {
  const { journal, disk, commits } = open(t)
  const small = () => journal.append(plainRecord('small'), checkout)
  const large = journal.appendBatches(batchesOf(4))
  await Promise.resolve() // Until it has asked for room.
  await Promise.all([small(), large])
  t.same(commits, [[1], [1, 1], [1, 1]])
  t.equal(disk.syncCount > 0, true)
})

t.test('each batch is handed back as soon as it is on disk, in order', async t => {
  const { journal, disk } = open(t)
  const batches = batchesOf(6)
  const written: number[] = []
  const large = journal.appendBatches(batches, batch => {
    written.push(batches.indexOf(batch))
  })
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  disk.held = first.promise
  while (disk.syncCount === 0) await new Promise(setImmediate)
  t.same(written, [], 'written, but not synced')
  disk.held = second.promise
  first.resolve()
  while (disk.syncCount === 1) await new Promise(setImmediate)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  t.same(written, [0, 1])
  second.resolve()
  await large
  t.same(written, [0, 1, 2, 3, 4, 5])
})

t.test('a large request is answered when its last part is synced, not before', async t => {
  const { journal, disk } = open(t)
  const letFirstGo = disk.hold()
  let isAnswered = false
  const large = journal.appendBatches(batchesOf(6)).then(() => {
    isAnswered = true
  })
  await disk.syncBegins()
  const letSecondGo = disk.hold()
  letFirstGo()
  await disk.syncBegins(1)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  t.equal(isAnswered, false)
  letSecondGo()
  await large
})

t.test(
  'several large requests share the disk, and each is answered with its last part',
  async t => {
    const { journal, commits } = open(t)
    const ends: string[] = []
    const appended = [40, 8, 8].map((count, index) =>
      journal.appendBatches(batchesOf(count)).then(() => ends.push(`${index}`)),
    )
    await Promise.all(appended)
    t.equal(ends.at(-1), '0', 'the small ones need not wait for the large one')
    t.equal(commits.flat().length, 56)
  },
)

for (const fullness of ['short', 'ENOSPC'] as const) {
  t.test(`a disk that fills up on the way (${fullness}) says how much was stored`, async t => {
    const { journal, disk, directory, fatal } = open(t)
    disk.fullness = fullness
    disk.freeBytes = 2.5 * mib
    const other = journal.appendBatches(batchesOf(5))
    await t.rejects(journal.appendBatches(batchesOf(40)), {
      code: 'storage_full',
      message: /^the disk is full; only the first \d records of this were stored$/,
      extras: { retryAfterSeconds: 5 },
    })
    await other.catch(() => {})
    disk.freeBytes = Number.POSITIVE_INFINITY
    t.equal(journal.stats().pendingBytes, 0, 'the rest is given up')
    const before = recordsOnDisk(directory)
    await journal.appendBatches(batchesOf(8))
    t.equal(recordsOnDisk(directory), before + 8)
    t.same(fatal, [])
  })
}

t.test('where there is no room for all of it, nothing of it is stored', async t => {
  const { journal, disk, directory } = open(t)
  disk.roomBytes = 40 * mib // Some are left for others.
  await t.rejects(journal.appendBatches(batchesOf(40)), {
    code: 'storage_full',
    message: /nothing of this was stored/,
  })
  await journal.append(plainRecord('small'), checkout)
  t.equal(recordsOnDisk(directory), 1)
  await journal.appendBatches(batchesOf(8))
  t.equal(recordsOnDisk(directory), 9)
})

t.test('what waits for its part counts as pending, and is given up with a failed disk', async t => {
  const { journal, disk, fatal } = open(t, 2 * mib)
  const letGo = disk.hold()
  const large = journal.appendBatches(batchesOf(12))
  large.catch(() => {})
  await disk.syncBegins()
  t.throws(() => journal.append(plainRecord('small'), checkout), { code: 'ingest_overloaded' })
  await t.rejects(journal.appendBatches(batchesOf(12)), { code: 'ingest_overloaded' })
  disk.syncError = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  letGo()
  await t.rejects(large, { code: 'storage_failed' })
  disk.syncError = undefined // For the close.
  t.equal(fatal.length, 1)
  t.equal(journal.stats().pendingBytes, 0)
})

t.test('a file has so many records at most, and a little, however small they are', async t => {
  const { journal, directory } = open(t)
  const tiny = tinyBatch(1 << 16)
  for (let i = 0; i < 10; i++) await journal.appendBatches([tiny])
  t.same(listJournalFiles(directory), [1, 2])
})
