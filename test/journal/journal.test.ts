import fs from 'node:fs'
import t, { type Test } from 'tap'
import { Batch } from '../../src/journal/batch-reader.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { journalPath, listJournalFiles } from '../../src/journal/files.ts'
import { frameHeaderBytes, readFrame } from '../../src/journal/frame.ts'
import type { CommittedFrame } from '../../src/journal/journal.ts'
import { recoverFile } from '../../src/journal/recover.ts'
import { type OpenedJournal, openJournal } from './open-journal.ts'
import { checkout, plainRecord } from './records.ts'

/** Messages of all intact frames of all files, in order. */
function messagesIn(directory: string): string[] {
  const messages: string[] = []
  for (const file of listJournalFiles(directory)) {
    const path = journalPath(directory, file)
    const bytes = fs.readFileSync(path)
    recoverFile(path, file, 0, frame => {
      const read = readFrame(bytes.subarray(frame.offset), 0, file, frame.offset)
      if (typeof read !== 'object') throw new Error('a recovered frame cannot be read')
      const batch = new Batch(read)
      for (let row = 0; row < batch.recordCount; row++) messages.push(batch.record(row).message)
    })
  }
  return messages
}

const recordsIn = (frames: readonly CommittedFrame[]) =>
  frames.reduce((sum, { header }) => sum + header.recordCount, 0)

t.test('an append resolves only after its bytes are written and synced', async t => {
  const { journal, disk, directory } = openJournal(t)
  const letGo = disk.hold()
  let isAcknowledged = false
  const appended = journal.append(plainRecord('a'), checkout).then(() => {
    isAcknowledged = true
  })
  await disk.syncBegins()
  t.equal(isAcknowledged, false, 'not while the sync is under way')
  letGo()
  await appended
  t.same(messagesIn(directory), ['a'])
  await journal.close()
})

t.test('what arrives during a sync shares the next one', async t => {
  const { journal, disk, visible } = openJournal(t)
  const letGo = disk.hold()
  const first = journal.append(plainRecord('first'), checkout)
  await disk.syncBegins()
  const rest = Array.from({ length: 50 }, (_, i) => journal.append(plainRecord(`${i}`), checkout))
  letGo()
  await Promise.all([first, ...rest])
  t.equal(disk.syncCount, 2)
  t.same(
    visible.map(frame => frame.header.recordCount),
    [1, 50],
  )
  await journal.close()
})

t.test('records become visible before their append resolves, numbered as they came', async t => {
  const { journal, visible } = openJournal(t)
  await journal.append(plainRecord('a'), checkout)
  t.equal(visible.length, 1)
  const writer = new BatchWriter()
  for (const message of ['b', 'c', 'd']) writer.add(plainRecord(message), checkout)
  await journal.appendBatches([writer.encode()])
  await journal.append(plainRecord('e'), checkout)
  t.same(
    visible.map(frame => frame.header.firstSequence),
    [0, 1, 4],
  )
  await journal.close()
})

t.test('mode "written" acknowledges without a sync', async t => {
  const { journal, disk, directory } = openJournal(t, { durability: 'written' })
  await journal.append(plainRecord('a'), checkout)
  t.equal(disk.syncCount, 0)
  t.same(messagesIn(directory), ['a'])
  await journal.close()
  t.equal(disk.syncCount, 1, 'but a closed file is synced')
})

t.test('a file that is large or old enough is followed by a new one', async t => {
  let time = 0
  const { journal, directory } = openJournal(t, { journalFileBytes: 300 }, { now: () => time })
  const files = () => listJournalFiles(directory)
  await journal.append(plainRecord('a'), checkout)
  await journal.append(plainRecord('b'), checkout)
  t.same(files(), [1], 'neither large nor old')
  await journal.append(plainRecord('c'.repeat(300)), checkout)
  await journal.append(plainRecord('d'), checkout)
  t.same(files(), [1, 2], 'large')
  time += 60_000
  await journal.append(plainRecord('e'), checkout)
  t.same(files(), [1, 2, 3], 'old')
  t.same(messagesIn(directory), ['a', 'b', 'c'.repeat(300), 'd', 'e'])
  await journal.close()
})

t.test('a clock that is set back closes the file, whose age it can no longer tell', async t => {
  let time = 10_000
  const { journal, directory } = openJournal(t, {}, { now: () => time })
  await journal.append(plainRecord('a'), checkout)
  time = 9_999
  await journal.append(plainRecord('b'), checkout)
  await journal.append(plainRecord('c'), checkout)
  t.same(listJournalFiles(directory), [1, 2], 'and only the one')
  await journal.close()
})

for (const fullness of ['short', 'ENOSPC'] as const) {
  t.test(`a full disk (${fullness}) is refused, loses nothing, and heals by itself`, async t => {
    const { journal, disk, directory, fatal } = openJournal(t)
    await journal.append(plainRecord('before'), checkout)
    disk.fullness = fullness
    disk.freeBytes = frameHeaderBytes + 10
    const refused = journal.append(plainRecord('x'.repeat(500)), checkout)
    await t.rejects(refused, { code: 'storage_full', extras: { retryAfterSeconds: 5 } })
    t.same(messagesIn(directory), ['before'], 'no part of the refused record is left')
    await t.rejects(journal.append(plainRecord('y'.repeat(500)), checkout), {
      code: 'storage_full',
    })
    disk.freeBytes = Number.POSITIVE_INFINITY
    await journal.append(plainRecord('after'), checkout)
    t.same(messagesIn(directory), ['before', 'after'])
    t.same(fatal, [], 'the service goes on')
    await journal.close()
  })
}

t.test('a disk that is full at the very first record is refused and heals', async t => {
  const { journal, disk, directory } = openJournal(t)
  disk.freeBytes = 3
  await t.rejects(journal.append(plainRecord('x'), checkout), { code: 'storage_full' })
  t.same(listJournalFiles(directory), [], 'no half-made file is left')
  disk.freeBytes = Number.POSITIVE_INFINITY
  await journal.append(plainRecord('y'), checkout)
  t.same(messagesIn(directory), ['y'])
  await journal.close()
})

for (const fault of ['syncError', 'writeError'] as const) {
  t.test(`a ${fault} is final: no acknowledgement, no further append, one report`, async t => {
    const { journal, disk, fatal, visible } = openJournal(t)
    await journal.append(plainRecord('before'), checkout)
    disk[fault] = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    const failing = [1, 2, 3].map(n => journal.append(plainRecord(`${n}`), checkout))
    for (const append of failing) await t.rejects(append, { code: 'storage_failed' })
    disk[fault] = undefined
    t.throws(() => journal.append(plainRecord('later'), checkout), { code: 'storage_failed' })
    t.equal(fatal.length, 1)
    t.equal(visible.length, 1, 'only what was acknowledged can be seen')
  })
}

t.test('a sync that fails because the disk is full is as final as any other', async t => {
  const { journal, disk, fatal } = openJournal(t)
  await journal.append(plainRecord('before'), checkout)
  disk.syncError = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
  await t.rejects(journal.append(plainRecord('a'), checkout), { code: 'storage_failed' })
  disk.syncError = undefined
  t.throws(() => journal.append(plainRecord('later'), checkout), { code: 'storage_failed' })
  t.equal(fatal.length, 1)
})

t.test('appends that waited behind a failed sync are refused too', async t => {
  const { journal, disk } = openJournal(t)
  const letGo = disk.hold()
  disk.syncError = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  const first = journal.append(plainRecord('first'), checkout)
  await disk.syncBegins()
  const second = journal.append(plainRecord('second'), checkout)
  letGo()
  await t.rejects(first, { code: 'storage_failed' })
  await t.rejects(second, { code: 'storage_failed' })
  t.equal(disk.syncCount, 1, 'the disk is not asked again')
})

t.test('beyond the bytes that may wait, senders are asked to come back', async t => {
  const { journal, disk } = openJournal(t, { pendingBytesMax: 1_000 })
  const letGo = disk.hold()
  const first = journal.append(plainRecord('x'.repeat(600)), checkout)
  await disk.syncBegins()
  const second = journal.append(plainRecord('y'.repeat(600)), checkout)
  t.throws(() => journal.append(plainRecord('z'), checkout), {
    code: 'ingest_overloaded',
    extras: { retryAfterSeconds: 1 },
  })
  t.throws(() => journal.checkRoom(), { code: 'ingest_overloaded' })
  letGo()
  await Promise.all([first, second])
  journal.checkRoom()
  await journal.append(plainRecord('z'), checkout)
  await journal.close()
  t.throws(() => journal.checkRoom(), { code: 'stopping' })
})

t.test('closing commits what is under way and refuses the rest', async t => {
  const { journal, directory } = openJournal(t)
  const appended = journal.append(plainRecord('last'), checkout)
  const closed = journal.close()
  t.throws(() => journal.append(plainRecord('late'), checkout), { code: 'stopping' })
  await appended
  await closed
  t.same(messagesIn(directory), ['last'])
})

t.test('a file is closed when somebody asks, also while appends never end', async t => {
  const { journal, visible } = openJournal(t)
  let isLoaded = true
  let sent = 0
  const load = async () => {
    while (isLoaded) {
      sent++
      await journal.append(plainRecord('a'), checkout)
    }
  }
  const senders = [load(), load(), load()]
  while (sent < 100) await new Promise(setImmediate)
  const closedBelow = await journal.rotate()
  t.equal(closedBelow, 2)
  const records = recordsIn(visible.filter(frame => frame.file < closedBelow))
  t.ok(records >= 97, 'what was acknowledged before is in the closed file')
  t.equal(await journal.rotate(), 3)
  isLoaded = false
  await Promise.all(senders)
  await journal.close()
  t.equal(recordsIn(visible), sent)
})

t.test('an append that comes while a file is closed needs nobody else to be written', async t => {
  const { journal, disk, directory } = openJournal(t)
  await journal.append(plainRecord('a'), checkout)
  const letGo = disk.hold()
  const syncs = disk.syncCount
  const rotated = journal.rotate()
  await disk.syncBegins(syncs)
  const appended = journal.append(plainRecord('b'), checkout)
  letGo()
  t.equal(await rotated, 2)
  await appended
  t.same(messagesIn(directory), ['a', 'b'])
  t.equal(await journal.rotate(), 3)
  t.equal(await journal.rotate(), 3, 'with no file there is nothing to close')
  await journal.close()
})

t.test('whoever waits for a file to be closed hears that the disk failed', async t => {
  const { journal, disk, fatal } = openJournal(t)
  await journal.append(plainRecord('a'), checkout)
  disk.syncError = new Error('EIO')
  await t.rejects(journal.rotate(), { code: 'storage_failed' })
  t.equal(fatal.length, 1)
})

/** The journal with six of the eight records of its first file, when the second has been begun. */
async function openNearFull(t: Test): Promise<OpenedJournal> {
  const opened = openJournal(t, { journalFileRecords: 8 })
  for (let n = 0; n < 6; n++) await opened.journal.append(plainRecord(`${n}`), checkout)
  for (let turn = 0; turn < 10_000 && listJournalFiles(opened.directory).length < 2; turn++) {
    await new Promise(setImmediate)
  }
  return opened
}

t.test('the next file is there before it is needed: no append waits for it to be made', async t => {
  const { journal, disk, directory, visible } = await openNearFull(t)
  t.same(listJournalFiles(directory), [1, 2])
  disk.create = () => new Promise(() => {})
  for (let n = 6; n < 13; n++) await journal.append(plainRecord(`${n}`), checkout)
  t.equal(visible.at(-1)!.file, 2)
  const messages = Array.from({ length: 13 }, (_, n) => `${n}`)
  t.same(messagesIn(directory), messages)
  await journal.close()
})

t.test('a next file that was not needed is gone after the end', async t => {
  const { journal, directory } = await openNearFull(t)
  await journal.close()
  t.same(listJournalFiles(directory), [1])
})

t.test(
  'a file that is closed because somebody asks is followed by the one begun ahead',
  async t => {
    const { journal, directory, visible } = await openNearFull(t)
    t.equal(await journal.rotate(), 2)
    await journal.append(plainRecord('6'), checkout)
    t.equal(visible.at(-1)!.file, 2)
    t.equal(await journal.rotate(), 3)
    t.same(listJournalFiles(directory), [1, 2])
    await journal.close()
  },
)

t.test('a disk that was full when the next file was begun refuses nothing later', async t => {
  const { journal, disk, directory, visible, fatal } = openJournal(t, { journalFileRecords: 8 })
  const create = disk.create.bind(disk)
  let failedCount = 0
  for (let n = 0; n < 5; n++) await journal.append(plainRecord(`${n}`), checkout)
  disk.create = async path => {
    failedCount++
    throw Object.assign(new Error(`ENOSPC: ${path}`), { code: 'ENOSPC' })
  }
  await journal.append(plainRecord('5'), checkout)
  await journal.append(plainRecord('6'), checkout)
  t.equal(failedCount, 1)
  disk.create = create
  for (let n = 7; n < 10; n++) await journal.append(plainRecord(`${n}`), checkout)
  t.equal(visible.at(-1)!.file, 2)
  t.same(messagesIn(directory), ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
  t.same(fatal, [])
  await journal.close()
})

t.test('a next file whose name could not be synced is never written to', async t => {
  const { journal, disk, visible, fatal } = openJournal(t, { journalFileRecords: 8 })
  for (let n = 0; n < 5; n++) await journal.append(plainRecord(`${n}`), checkout)
  disk.syncDirectory = async () => {
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  }
  for (let n = 5; n < 8; n++) await journal.append(plainRecord(`${n}`), checkout)
  await t.rejects(journal.append(plainRecord('8'), checkout), { code: 'storage_failed' })
  t.equal(visible.at(-1)!.file, 1)
  t.equal(fatal.length, 1)
})
