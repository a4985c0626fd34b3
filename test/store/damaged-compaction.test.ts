/** Compaction that meets damage: it leaves out what is damaged, and nothing else. */
import fs from 'node:fs'
import t from 'tap'
import { realGround, type StoreGround } from '../../src/store/ground.ts'
import { allRecords, neverAborted, openStoreOf } from './store-in.ts'
import { append } from './tail/store.ts'

/**
 * A seal thread that does nothing before `begin`. Just before its first merge the segments of these
 * numbers are damaged.
 */
function lateThread(damaged: readonly number[]) {
  const { promise: mayBegin, resolve: begin } = Promise.withResolvers<void>()
  const thread = realGround.newSealThread()
  const tried: number[][] = []
  const ground: StoreGround = {
    ...realGround,
    newSealThread: () => ({
      seal: async task => {
        await mayBegin
        return thread.seal(task)
      },
      compact: task => {
        if (tried.length === 0) {
          for (const { path, number } of task.segments) if (damaged.includes(number)) damage(path)
        }
        tried.push(task.segments.map(({ number }) => number))
        return thread.compact(task)
      },
      close: () => thread.close(),
    }),
  }
  return { ground, begin, tried }
}

/** Changes a bit in the first chunk of a segment's first block. */
function damage(path: string): void {
  const bytes = fs.readFileSync(path)
  bytes[30]! ^= 4
  fs.writeFileSync(path, bytes)
}

t.test('each damaged segment is found and named, and the others are merged', async t => {
  const { ground, begin, tried } = lateThread([2, 5])
  const log: Record<string, unknown>[] = []
  const store = await openStoreOf(t, t.testdir(), { log, ground })
  // Each rotation closes a file; they are sealed together, so that all six may be merged at once.
  const settled: Promise<void>[] = []
  for (let file = 1; file <= 6; file++) {
    for (let i = 0; i < 10; i++) await append(store, `${file} ${i}`, i)
    settled.push(store.settle())
  }
  begin()
  await Promise.all(settled)
  t.same(tried, [
    [1, 2, 3, 4, 5, 6],
    [1, 3, 4, 5, 6],
    [1, 3, 4, 6],
  ])
  // The scrub is told of them, too, and may have found them before this line.
  const leftOut = log.filter(({ msg }) => String(msg).includes('is not merged with others'))
  t.same(
    leftOut.map(({ level, segment }) => [level, segment]),
    [
      [50, 2],
      [50, 5],
    ],
  )
  t.match(store.stats(), { compactions: 1, segmentFiles: 3, unsealedFiles: 0 })
  t.equal((await store.select(allRecords, neverAborted)).count, 40)
})
