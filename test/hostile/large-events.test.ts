/** In a process of its own, so that nothing is measured but what the reader keeps. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { DirectReader } from '../../src/ingest/direct/reader.ts'
import { BatchWriter } from '../../src/journal/batch-writer.ts'
import { collectWithCode } from '../../src/threads/garbage.ts'
import { checkEvent } from '../ingest/direct/both-ways.ts'

t.test('what large events took is let go of', async t => {
  const direct = new DirectReader(undefined)
  const writer = new BatchWriter()
  // What one collection finds is freed by a thread of V8, for whose end the next one waits.
  const arrayBytes = () => {
    collectWithCode()
    collectWithCode()
    return process.memoryUsage().arrayBuffers
  }
  const value = 'x'.repeat(200_000)
  checkEvent(Buffer.from('{"message":"m"}'), direct)
  const before = arrayBytes()
  for (let i = 0; i < 300; i++) {
    t.ok(direct.readWhole(Buffer.from(`{"message":"m","field-${i}":"${value}"}`)))
    direct.addTo(writer, { service: 'a', environment: 'b' }, 0)
    writer.encode()
  }
  const readTorn = () => {
    const torn = Buffer.from(`{"message":"${'\\n'.repeat(10_000_000)}"`)
    return direct.readWhole(torn)
  }
  t.equal(readTorn(), false)
  await nextTurn()
  const more = arrayBytes() - before
  t.ok(more < 8 * 1024 * 1024, `${more} bytes more`)
})
