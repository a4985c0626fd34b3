/** How many threads work on large bodies at once. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { LargeWork, type LargeWorkKind } from '../../src/ingest/large-work.ts'

/** Work that ends when it is told to, and what has begun so far. */
function start(places: number) {
  const work = new LargeWork(places)
  const begun: string[] = []
  const begin = (name: string, kind: LargeWorkKind) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const done = work.run(kind, () => {
      begun.push(name)
      return promise
    })
    done.catch(() => {})
    return { end: () => resolve(name), fail: () => reject(new Error(name)), done }
  }
  return { begun, begin }
}

t.test('no more are at work than there are places, and reading goes first', async t => {
  const { begun, begin } = start(2)
  const first = begin('decode 1', 'decode')
  const second = begin('decode 2', 'decode')
  const third = begin('decode 3', 'decode')
  const read = begin('read 1', 'read')
  await nextTurn()
  t.same(begun, ['decode 1', 'decode 2'])
  first.end()
  t.equal(await first.done, 'decode 1')
  await nextTurn()
  t.same(begun, ['decode 1', 'decode 2', 'read 1'])
  second.end()
  await nextTurn()
  t.same(begun.slice(3), ['decode 3'])
  third.end()
  read.end()
  await Promise.all([third.done, read.done])
  begin('decode 4', 'decode')
  begin('decode 5', 'decode')
  begin('decode 6', 'decode')
  await nextTurn()
  t.same(begun.slice(4), ['decode 4', 'decode 5'], 'both places are free again, and no more')
})

t.test('what fails leaves its place', async t => {
  const { begun, begin } = start(1)
  const failing = begin('fails', 'read')
  begin('next', 'decode')
  failing.fail()
  await t.rejects(failing.done, { message: 'fails' })
  await nextTurn()
  t.same(begun, ['fails', 'next'])
})
