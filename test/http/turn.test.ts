/** What is put off into turns of its own. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { Turn } from '../../src/http/turn.ts'

t.test('of those that ask for a turn of their own one has each, in their order', async t => {
  const turn = new Turn()
  const had: number[] = []
  const ask = (number: number) => turn.own().then(() => had.push(number))
  for (const number of [1, 2, 3]) ask(number)
  t.same(had, [], 'not at once')
  await nextTurn()
  t.same(had, [1])
  await nextTurn()
  t.same(had, [1, 2])
  ask(4)
  await nextTurn()
  await nextTurn()
  t.same(had, [1, 2, 3, 4])
  ask(5)
  await nextTurn()
  t.same(had, [1, 2, 3, 4, 5], 'after a pause')
})
