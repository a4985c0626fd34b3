import t from 'tap'
import { worthKeeping } from '../../src/memory-policy.js'
import { BlockColumns } from '../../src/segment/block-columns.ts'
import { openBlock } from '../../src/segment/block-reader.ts'
import { SegmentFile } from '../../src/segment/segment-file.ts'
import { type StreamRecord, sealRecords } from '../segment/sealed.ts'

const stream = { service: 'api', environment: 'prod' }
const records = Array.from({ length: 3_000 }, (_, i): StreamRecord => {
  const own = i % 3 === 0 ? ['user', `u${i % 40}`] : []
  const attributes = ['id', `${i}-${i % 7}.${i % 11}`, 'ms', `${i % 99}.25`, ...own]
  const message = `request ${i} took ${i % 9} of ${i % 5 === 0 ? 'a' : 'the'} pool b${i}x`
  return { timestamp: i, level: i % 2 === 0 ? 'info' : 'error', message, attributes, stream }
})

t.test('whatever part of a block is let go of, it is made again as it was', async t => {
  const path = `${t.testdir()}/00000001.seg`
  const info = { createdAt: 0, replaces: { journals: [], segments: [] }, group: [1] }
  const { blocks } = sealRecords(path, 1, [records], info)
  const reader = openBlock(new SegmentFile(path, 1), blocks[0]!.directory)
  const block = new BlockColumns(reader.directory, () => reader)
  const rows = [0, 1, 2, 777, 1_500, 2_999]
  const seen = () => {
    const { column } = block.attribute('ms')!
    return {
      records: rows.map(row => block.record(row)),
      sequences: rows.map(row => block.sequence(row)),
      numbers: rows.map(row => column.numbers?.()[row]),
      ids: block.attribute('id')!.column.toTextColumn(),
      messages: block.message.toTextColumn(),
    }
  }
  const before = seen()
  t.ok(block.heldBytes > 50_000)
  const count = [...block.kept()].length
  t.ok(count > 10, `${count} parts`)
  for (let i = 0; i < count; i++) {
    const held = block.heldBytes
    const kept = [...block.kept()][i]
    if (kept === undefined) break
    const { heldBytes, makingMs } = kept
    kept.release()
    t.equal(block.heldBytes, held - heldBytes, `part ${i} of ${heldBytes} bytes`)
    t.ok(heldBytes === 0 || makingMs > 0, 'what is kept took some time')
    t.same(seen(), before)
  }
  for (const kept of [...block.kept()]) kept.release()
  t.ok(block.heldBytes <= 8 * 1024, `${block.heldBytes} bytes are left`)
  t.same(seen(), before)
})

t.test(
  'what costs much for its size stays longer, and what is seldom needed goes first',
  async t => {
    const worth = (makingMs: number, heldBytes: number, isSeldomNeeded = false, isInUse = false) =>
      worthKeeping({ makingMs, heldBytes, isSeldomNeeded }, isInUse)
    for (let i = 0; i < 100; i++) {
      t.ok(worth(1, 4_096) > worth(1, 65_536))
      t.ok(worth(5, 4_096) > worth(1, 4_096))
      t.ok(worth(0.1, 1e6) > worth(50, 4_096, true, true))
      t.ok(worth(1, 4_096, true, true) > worth(1, 4_096, true, false))
    }
  },
)
