import t from 'tap'
import { parseSingle } from '../../../src/language/grammar.ts'
import { Predicate } from '../../../src/query/predicate.ts'
import { BlockColumns } from '../../../src/segment/block-columns.ts'
import type { BlockReader } from '../../../src/segment/block-reader.ts'
import { collectNow } from '../../../src/threads/garbage.ts'
import { sealedBlocks } from '../../segment/sealed.ts'

const recordCount = 5_000

/** Makes the columns of a block, with nothing decoded yet. */
function blockIn(directory: string): () => BlockColumns {
  const list = Array.from({ length: recordCount }, (_, i) => ({
    ...{ timestamp: i, level: 'info', attributes: [] },
    message: `{"status":${200 + (i % 300)},"took":${(i * 7919) % 100_003},"path":"/a/${i}"}`,
    stream: { service: 'api', environment: 'prod' },
  }))
  const [reader] = sealedBlocks(directory, [list]).readers as [BlockReader]
  return () => new BlockColumns(reader.directory, () => reader)
}

/**
 * Memory in use after two collections, in MB: the first may only end one that V8 had begun, to which all that
 * was made meanwhile is alive.
 */
function memoryMb(): number {
  collectNow('major')
  collectNow('major')
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

t.test('what stages have found of a block goes before the job of the thread ends', async t => {
  const block = blockIn(t.testdir())
  const predicate = new Predicate(parseSingle('{} | json | took > 100').selector)
  const ask = (isStagedNext: boolean) => {
    const columns = block()
    const selected = predicate.select(columns, 0, recordCount, { isStagedNext })!
    if (isStagedNext) predicate.staged(columns, selected).attribute('took')
  }
  // No await from here on: a scan thread has none either.
  for (const isStagedNext of [false, true]) {
    const grown = Array.from({ length: 4 }, () => {
      const before = memoryMb()
      for (let i = 0; i < 100; i++) ask(isStagedNext)
      return memoryMb() - before
    })
    const least = Math.min(...grown) // Compiled code comes and goes beside it.
    t.ok(least < 3, `${least.toFixed(1)} MB more after 100 blocks of 0.1 MB each`)
  }
})
