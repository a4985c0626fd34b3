/** What skip indexes tell of values, beside what is counted in the blocks themselves. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import type { Collector } from '../../../src/query/collect/collector.ts'
import { Facets } from '../../../src/query/collect/facets.ts'
import { Groups } from '../../../src/query/collect/groups.ts'
import type { ScanSource } from '../../../src/query/scan-task.ts'
import { SourceReader } from '../../../src/query/source-reader.ts'
import { BlockColumns } from '../../../src/segment/block-columns.ts'
import { readDirectory } from '../../../src/segment/block-directory.ts'
import { BlockReader } from '../../../src/segment/block-reader.ts'
import { SegmentFile } from '../../../src/segment/segment-file.ts'
import { forAll } from '../../for-all.ts'
import { sealRecords } from '../../segment/sealed.ts'
import { info } from '../../segment/segments.ts'

const stream = { service: 'web', environment: 'prod' }
/** Few values, none at all in some blocks, the empty one, and more than are told. */
const attribute = fc.oneof(
  fc.tuple(fc.constantFrom('host', 'status', 'empty'), fc.constantFrom('a', 'b', '', '404', 'é')),
  fc.tuple(fc.constant('id'), fc.integer().map(String)),
)
const record = fc
  .uniqueArray(attribute, { selector: ([name]) => name, maxLength: 3 })
  .map(pairs => ({
    ...{ stream, timestamp: 5, level: 'info', message: 'done' },
    attributes: pairs.flat(),
  }))
const block = fc
  .tuple(fc.array(record, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 20 }))
  .map(([some, times]) => Array.from({ length: times }, () => some).flat())
const wanted = { prefix: '', bounds: { countMax: 1_000, lengthMax: 100_000 } }

/** All that a collector may be asked for here. */
const collectors: (() => Collector)[] = [
  ...['host', 'status', 'empty', 'id', 'nothing'].map(label => () => new Groups([label])),
  () => new Groups([]),
  () => new Groups(['host', 'status']),
  () => new Groups(['service.name']),
  () => new Facets(['host', 'status', 'nothing'], wanted),
  () => new Facets(['host', 'id'], wanted),
  () => new Facets(['status', 'log_level'], wanted),
  () => new Facets(['empty'], { ...wanted, prefix: 'a' }),
]

t.test('what is told of values is what is counted in the block', async t => {
  const path = `${t.testdir()}/00000007.seg`
  const seen = { told: 0, counted: 0 }
  forAll({ numRuns: 60 }, fc.array(block, { minLength: 1, maxLength: 4 }), lists => {
    const { blocks } = sealRecords(path, 7, lists, info)
    const reader = new SourceReader(0)
    const file = new SegmentFile(path, 7)
    for (const { directory, blockBytes: bytes, skip, recordCount } of blocks) {
      const source = { kind: 'block', segment: 7, directory, bytes, skip } as const
      const scanned: ScanSource = { number: 0, path, source, isCounted: false }
      const own = readDirectory(file, directory)
      const plain = new BlockColumns(own, () => new BlockReader(file, directory, own))
      const all = new Uint8Array(recordCount).fill(1)
      for (const make of collectors) {
        const counted = make()
        counted.add(plain, all)
        const opened = make()
        opened.add(reader.block(scanned), all)
        assert.deepEqual(inOrder(opened), inOrder(counted), 'of an open block')
        const told = make()
        const isEnough = told.addTold!(reader.told(scanned)!)
        assert.deepEqual(inOrder(told), inOrder(isEnough ? counted : make()))
        seen[isEnough ? 'told' : 'counted']++
      }
      const half = all.slice().fill(0, 0, recordCount >> 1)
      for (const make of collectors) {
        const [counted, opened] = [make(), make()]
        counted.add(plain, half)
        opened.add(reader.block(scanned), half)
        assert.deepEqual(inOrder(opened), inOrder(counted), 'of half a block')
      }
    }
    file.close()
    reader.trim()
  })
  t.ok(seen.told > 200 && seen.counted > 200, JSON.stringify(seen))
})

/** What was collected, whatever the order in which it came. */
function inOrder(collector: Collector): unknown {
  if (collector instanceof Groups) {
    return collector.toPlain().sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
  }
  return (collector as Facets).fields.map(({ present, counts }) => [present, counts.top(1_000)])
}
