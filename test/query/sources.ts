/** Sources to scan, of journal files and segments with random records. */
import fs from 'node:fs'
import fc from 'fast-check'
import { journalPath } from '../../src/journal/files.ts'
import type { ScanSource } from '../../src/query/scan-task.ts'
import { sealJournal } from '../../src/store/maintain/seal.ts'
import { type StreamRecord, writeJournal } from '../segment/sealed.ts'
import { arbitraryRecord, arbitraryStream } from './plain.ts'

const arbitraryStored: fc.Arbitrary<StreamRecord> = fc
  .tuple(arbitraryRecord, arbitraryStream, fc.integer({ min: 0, max: 60 }))
  .map(([record, stream, timestamp]) => ({ ...record, timestamp, stream }))

/** Records of three journal files, of which two are sealed: the sources of all of them. */
export function makeSources(directory: string): { records: StreamRecord[]; sources: ScanSource[] } {
  const [records] = fc.sample(fc.array(arbitraryStored, { minLength: 300, maxLength: 300 }), {
    numRuns: 1,
    seed: 42,
  })
  const sources: ScanSource[] = []
  for (const file of [1, 2, 3]) {
    const path = journalPath(directory, file)
    const first = 100 * (file - 1)
    const lists = [0, 50].map(start => records!.slice(first + start, first + start + 50))
    writeJournal(path, file, lists, first + 1)
    if (file === 3) {
      const bytes = fs.statSync(path).size - 20
      const source = { kind: 'journal', file, offset: 20, bytes } as const
      sources.push({ number: sources.length, path, source, isCounted: false })
      continue
    }
    sources.push(...sealedBlocks(directory, path, file, sources.length))
  }
  return { records: records!, sources }
}

/** Seals a journal file; `file` is the number of the first segment, too. Returns the blocks. */
export function sealedBlocks(
  directory: string,
  path: string,
  file: number,
  firstNumber = 0,
): ScanSource[] {
  const task = {
    journal: { path, file },
    ...{ directory, receiptsDirectory: directory },
    ...{ firstNumber: file, createdAt: 0 },
  }
  const blocks: ScanSource[] = []
  for (const { path, footer } of sealJournal(task)) {
    for (const { directory, blockBytes: bytes, skip } of footer.blocks) {
      const source = { kind: 'block', segment: file, directory, bytes, skip } as const
      blocks.push({ number: firstNumber + blocks.length, path, source, isCounted: false })
    }
  }
  return blocks
}
