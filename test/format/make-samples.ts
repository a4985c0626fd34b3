/**
 * Makes the sample files of the current formats, once for each format: `node test/format/make-samples.ts`
 *
 * They are committed, and `samples.test.ts` reads them for ever: never make those of an older format
 * again, and never those of this one after its release. Existing files are not overwritten. What each
 * holds is said in `sample-records.ts`.
 */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeSegment } from '../../src/cli/inspect/segment.ts'
import { keyOf, openIngestIn } from '../ingest/retries/ingest-on-store.ts'
import { sealRecords, writeJournal } from '../segment/sealed.ts'
import { journalLists, noon, samples, segmentLists } from './sample-records.ts'

makeOnce('v3-times.seg', path => {
  sealRecords(path, 42, segmentLists, {
    createdAt: noon + 60_000,
    replaces: { journals: [12, 13], segments: [40] },
    group: [42, 43],
  })
  const { blocks, skipIndexes } = describeSegment(path)
  const encodings = blocks.flatMap(({ columns }) => columns.map(({ encoding }) => encoding))
  const used = [...new Set(encodings)].sort().join(', ')
  assert.equal(
    used,
    'constant, dictionary, fixed-point, hex, integer, template, text',
    'every encoding',
  )
  const messages = blocks.map(({ columns }) => columns.find(({ role }) => role === 'message'))
  assert.equal(messages[1]?.encoding, 'text', 'a block without templates')
  assert.deepEqual(
    skipIndexes.map(({ blockCount }) => blockCount),
    [3, 1],
    'a run of several blocks',
  )
})

makeOnce('v1.journal.log', path => {
  writeJournal(path, 12, journalLists)
})

await makeReceipts('v1-receipts.journal.log', 'v1.receipts')

/** A journal file whose records were sent under keys, and the receipts that are left of it when it is sealed. */
async function makeReceipts(journalName: string, receiptsName: string): Promise<void> {
  const [ofJournal, ofReceipts] = [journalName, receiptsName].map(name => join(samples, name))
  if (fs.existsSync(ofJournal!)) return
  const dataDir = fs.mkdtempSync(join(tmpdir(), 'logstrata-samples-'))
  const there = await openIngestIn(dataDir, { now: () => noon })
  await there.one('{"message":"one"}', 'key-1')
  await there.batch('{"message":"two"}\n{"message":\n{"message":"three"}', keyOf('key-2'))
  const document = '{"create":{"_index":"logs","_id":"1"}}\n{"message":"four"}\n'
  await there.batch(document, { format: 'bulk' })
  fs.copyFileSync(join(dataDir, 'journal/00000001.log'), ofJournal!)
  await there.store.settle()
  fs.copyFileSync(join(dataDir, 'receipts/00000001.receipts'), ofReceipts!)
  await there.close()
  fs.rmSync(dataDir, { recursive: true })
}

/** Makes a sample that is not there. */
function makeOnce(name: string, make: (path: string) => void): void {
  const path = join(samples, name)
  if (fs.existsSync(path)) return
  try {
    make(path)
  } catch (error) {
    fs.rmSync(path, { force: true })
    throw error
  }
}
