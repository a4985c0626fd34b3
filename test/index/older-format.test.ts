/** An index of an older version: it is built anew, and what no footer knows is taken over. */
import { join } from 'node:path'
import { open } from 'lmdb'
import { pino } from 'pino'
import t from 'tap'
import { openBlockIndex } from '../../src/index/open-index.ts'
import { readFooter } from '../../src/segment/footer.ts'
import { smallBlock, writeSegment } from '../segment/segments.ts'

/** An index that has had segment 41 and journal file 12, closed; then of another format. */
async function makeIndex(dataDir: string, format: number): Promise<void> {
  const path = join(dataDir, '41.seg')
  writeSegment(path, 41, [smallBlock('gone')])
  const { blocks } = readFooter(path, 41)
  const { index } = await openBlockIndex(dataDir, pino({ level: 'silent' }))
  await index.addSegment(41, blocks)
  await index.removeSegments(new Map([[41, blocks]]))
  await index.addSegment(42, blocks)
  await index.noteJournal(12, true)
  await index.close()
  const root = open({ path: join(dataDir, 'index.lmdb'), maxDbs: 8, noSubdir: true })
  await root.put('format', format)
  await root.close()
}

async function opened(dataDir: string) {
  const log: string[] = []
  const logger = pino({ level: 'info', base: null }, { write: line => log.push(line) })
  const { index, isNew, fault } = await openBlockIndex(dataDir, logger)
  const found = { isNew, fault, retired: index.retired, journals: index.journals() }
  const segments = [...index.summaries().keys()]
  await index.close()
  return { ...found, segments, log: log.join('') }
}

t.test('an index of format 3 gives its numbers to the one that is built anew', async t => {
  const dataDir = t.testdir()
  await makeIndex(dataDir, 3)
  const { log, ...found } = await opened(dataDir)
  t.same(found, {
    isNew: true,
    fault: undefined,
    retired: { nextNumber: 42, nextSequence: 2 ** 40 + 1 },
    journals: [12],
    segments: [],
  })
  t.match(log, /the index is of another version; building it anew/)
  const again = await opened(dataDir)
  t.match(again, { isNew: false, retired: { nextNumber: 42 }, journals: [12], log: '' })
})

t.test('of an index of a format that nobody knows nothing is taken over', async t => {
  const dataDir = t.testdir()
  await makeIndex(dataDir, 99)
  const { isNew, retired, journals } = await opened(dataDir)
  t.same(
    { isNew, retired, journals },
    { isNew: true, retired: { nextNumber: 0, nextSequence: 0 }, journals: [] },
  )
})
