import assert from 'node:assert/strict'
import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import t from 'tap'
import { packCandidates, unpackCandidates } from '../../src/query/packed-candidates.ts'
import type { Candidate } from '../../src/query/top-k.ts'
import { forAll } from '../for-all.ts'

const candidate: fc.Arbitrary<Candidate> = fc.record(
  {
    timestamp: fc.maxSafeInteger(),
    sequence: fc.maxSafeNat(),
    source: fc.nat(),
    frameOffset: fc.maxSafeNat(),
    frameBytes: fc.nat(),
    row: fc.nat(),
  },
  { noNullPrototype: true },
)

t.test('candidates arrive as they were sent, in their order', async () => {
  forAll(fc.array(candidate, { size: '+1' }), candidates => {
    const packed = deserialize(serialize(packCandidates(candidates)))
    assert.deepEqual(unpackCandidates(packed), candidates)
  })
})
