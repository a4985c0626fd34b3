/**
 * Files of every format that was ever released are read here for ever. When one of these tests fails,
 * it is the code that must change, not the file.
 */
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { batchesOfJournal } from '../../src/cli/inspect/journal.ts'
import { blocksOfSegment } from '../../src/cli/inspect/segment.ts'
import type { RecordColumns } from '../../src/columns/record-columns.ts'
import { readFooter } from '../../src/segment/footer.ts'
import { verifySegment } from '../../src/segment/verify.ts'
import { verifyContents } from '../../src/segment/verify-contents.ts'
import { comparable } from '../journal/records.ts'
import type { StreamRecord } from '../segment/sealed.ts'

const sample = (name: string) => join(import.meta.dirname, name)

/** The records that went into a sample, in order. */
function expectedRecords(name: string): unknown[] {
  const lines = fs.readFileSync(sample(name), 'utf8').trimEnd().split('\n')
  return lines.map((line, i) => {
    const { stream, ...record } = JSON.parse(line) as StreamRecord
    return { stream, sequence: i + 1, record: comparable(record) }
  })
}

function recordsOf(parts: Iterable<RecordColumns>): unknown[] {
  const records: unknown[] = []
  for (const columns of parts) {
    for (let row = 0; row < columns.recordCount; row++) {
      records.push({
        stream: columns.streams[columns.streamCodes[row]!],
        sequence: columns.sequence(row),
        record: comparable(columns.record(row)),
      })
    }
  }
  return records
}

t.test('a segment of format 1 is read', async t => {
  const path = sample('v1.seg')
  t.same(verifySegment(path), [])
  t.same(verifyContents(path), [])
  const footer = readFooter(path)
  const noon = Date.UTC(2026, 10, 20, 12)
  t.match(footer, {
    number: 42,
    createdAt: noon + 60_000,
    replaces: { journals: [12, 13], segments: [40] },
    group: [42, 43],
    blocks: [
      {
        stream: { service: 'checkout', environment: 'prod' },
        recordCount: 800,
        minTimestamp: noon,
        maxTimestamp: noon + 266 * 997,
        minSequence: 1,
        maxSequence: 800,
        levelCounts: [
          ['info', 400],
          ['warn', 200],
          ['error', 200],
        ],
      },
      { stream: { service: 'Suche ✓', environment: 'a "test"' }, recordCount: 6 },
    ],
  })
  const faults: never[] = []
  const expected = expectedRecords('v1.seg.ndjson')
  t.equal(expected.length, 806)
  t.same(recordsOf(blocksOfSegment(path, faults)), expected)
  t.same(faults, [])
})

t.test('a journal file of format 1 is read', async t => {
  const faults: never[] = []
  const expected = expectedRecords('v1.journal.ndjson')
  t.equal(expected.length, 29)
  t.same(recordsOf(batchesOfJournal(sample('v1.journal.log'), faults)), expected)
  t.same(faults, [])
})
