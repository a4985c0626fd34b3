import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { parseDuration, printDuration } from '../../src/language/duration.ts'
import { limits } from '../../src/limits.ts'
import { forAll } from '../for-all.ts'

t.test('a duration prints in the largest units that are exact', async t => {
  const prints = (ms: number, expected: string) => t.equal(printDuration(ms), expected)

  prints(0, '0s')
  prints(1, '1ms')
  prints(90_000, '1m30s')
  prints(86_400_000, '1d')
  prints(8 * 86_400_000 + 1, '1w1d1ms')
  prints(limits.queryOffsetMsMax, '100y')
})

t.test('what is no duration is not read', async t => {
  for (const text of ['', '5', 'h', '-1h', '1.5h', '1h ', '1m1h', '1h1h', '1H', '1ms1s', '٣h']) {
    t.equal(parseDuration(text), undefined, `does not read "${text}"`)
  }
})

t.test('a duration that is printed is read back', async () => {
  forAll(fc.nat({ max: limits.queryOffsetMsMax }), ms => {
    assert.equal(parseDuration(printDuration(ms)), ms)
  })
})
