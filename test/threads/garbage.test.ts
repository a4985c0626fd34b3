import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { collectBesideWork } from '../../src/threads/garbage.ts'

/** On a busy machine a collection may end after one waits for it no longer. */
const attemptsMax = 10

t.test('what has grown old and is garbage goes beside work', async t => {
  const kept: object[] = [{}]
  for (let i = 0; i < 2; i++) await collectBesideWork()
  const left = new WeakRef(kept.pop()!)
  let attempts = 0
  do {
    await nextTurn() // In the turn in which one looks at it, it is kept.
    await collectBesideWork()
    attempts++
  } while (left.deref() !== undefined && attempts < attemptsMax)
  t.ok(attempts < attemptsMax, `gone after ${attempts}`)
})
