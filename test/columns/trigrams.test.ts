import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { Trigrams } from '../../src/columns/trigrams.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'

t.test('every part of some bytes may be in them', async () => {
  const parts = fc.tuple(fc.uint8Array({ maxLength: 60 }), fc.nat(60), fc.nat(60))
  forAll(longRuns(2_000), parts, ([bytes, start, length]) => {
    assert.ok(new Trigrams(bytes).mayHold(bytes.subarray(start, start + length)))
  })
})

t.test('a text with a run that is nowhere is ruled out, a short one never', async t => {
  const trigrams = new Trigrams(Buffer.from('node-17 worker9 deferred'))
  const says = (text: string, expected: boolean) =>
    t.equal(trigrams.mayHold(Buffer.from(text)), expected, text)
  says('worker9', true)
  says('xylophone', false)
  says('workers', false)
  says('xy', true)
  says('', true)
})
