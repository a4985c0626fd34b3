/** Blocks of which the main thread knows that only their columns tell more. */
import t from 'tap'
import { parseSingle } from '../../src/language/grammar.ts'
import { scanSources } from '../../src/query/scan.ts'
import type { ScanSource } from '../../src/query/scan-task.ts'
import { SourceReader } from '../../src/query/source-reader.ts'
import { sealedBlocks } from '../segment/sealed.ts'

const stream = { service: 'api', environment: 'prod' }

function idOf(i: number): string {
  return ((i + 1) * 2_654_435_761).toString(16).padStart(16, '0').slice(-16)
}

const records = Array.from({ length: 1_000 }, (_, i) => {
  return { timestamp: i, level: 'info', message: 'a request', attributes: ['id', idOf(i)], stream }
})

t.test('their filters are not asked a second time', async t => {
  const { path, blocks } = sealedBlocks(t.testdir(), [records])
  const sourcesOf = (isSifted: boolean) =>
    blocks.map(({ directory, skip, blockBytes: bytes }, number): ScanSource => {
      const source = { kind: 'block', segment: 1, directory, bytes, skip } as const
      return { number, path, source, isCounted: false, isSifted }
    })
  const never = new Int32Array(1)
  const turn = { turnMs: 1e9, longMs: 1e9, cancelled: never, taskCount: never }
  const ask = (id: string, isSifted: boolean) => {
    const { selector } = parseSingle(`logs{id="${id}"}`)
    const asked = { startTime: 0, endTime: 1_000, limit: 1, order: 'asc' } as const
    const query = { selector, ...asked, after: undefined, collector: undefined }
    const task = { sources: sourcesOf(isSifted), rebuildsRecords: true, bound: undefined, turn }
    const { count, records, stats } = scanSources({ query, ...task }, new SourceReader(2 ** 20))
    const found = records?.map(record => record?.timestamp)
    return [count, found, stats.blocks, stats.blocksPrunedByFilter]
  }
  for (const isSifted of [true, false]) t.strictSame(ask(idOf(7), isSifted), [1, [7], 1, 0])
  t.strictSame(ask('ffffffffffffffff', false), [0, [], 0, 1])
  t.strictSame(ask('ffffffffffffffff', true), [0, [], 1, 0])
})
