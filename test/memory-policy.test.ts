/** What the memory policy makes of machines. */
import t from 'tap'
import { startFlags } from '../src/memory-policy.js'

t.test('threads that collect garbage leave one core free', async t => {
  const threadsOf = (cores: number) => startFlags(cores).find(flag => /^--v8-pool-size=/.test(flag))
  t.same(
    [1, 2, 4, 64].map(threadsOf),
    [1, 1, 3, 4].map(count => `--v8-pool-size=${count}`),
  )
})
