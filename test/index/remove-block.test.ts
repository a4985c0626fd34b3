import { pino } from 'pino'
import t from 'tap'
import { openBlockIndex } from '../../src/index/block-index.ts'

t.test('a block that the index does not know is removed without trouble', async t => {
  const index = await openBlockIndex(t.testdir(), pino({ level: 'silent' }))
  t.teardown(() => index.close())
  const directory = { offset: 16, bytes: 10, crc: 1 }
  const stream = { service: 'never', environment: 'seen' }
  await index.removeBlock(3, { stream, minTimestamp: 1, directory })
  const filter = { wantsStream: () => true, startTime: 0, endTime: 9 }
  t.same([...index.entries(filter, () => true)], [])
})
