import { getEventListeners } from 'node:events'
import t from 'tap'
import { pause } from '../../src/threads/pause.ts'

t.test('a wait ends with its signal, and leaves nothing behind on one that lasts', async t => {
  const { signal } = new AbortController()
  for (let i = 0; i < 20; i++) await pause(0, signal)
  t.same(getEventListeners(signal, 'abort'), [])
  const ending = new AbortController()
  const waits = pause(600_000, ending.signal)
  ending.abort()
  await waits
  await pause(600_000, ending.signal)
})
