import assert from 'node:assert/strict'
import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import t from 'tap'
import { packRecords, unpackRecords } from '../../src/query/packed-records.ts'
import type { RebuiltRecord } from '../../src/query/scan-task.ts'
import { anyCodePoint } from '../any-code-point.ts'
import { forAll } from '../for-all.ts'

/** Any text that JavaScript has: half a surrogate pair, too. */
const text = fc.string({ unit: anyCodePoint, maxLength: 20 })
const name = fc.oneof(text, fc.constantFrom('host', '__proto__', 'trace_id', ''))

const record: fc.Arbitrary<RebuiltRecord> = fc
  .record({
    timestamp: fc.maxSafeInteger(),
    level: fc.constantFrom('info', 'error', 'é'),
    message: text,
    pairs: fc.array(fc.tuple(name, text), { maxLength: 6 }),
    ownShare: fc.option(fc.nat(6), { nil: undefined }),
    stream: fc.record({ service: name, environment: fc.constantFrom('live', 'test') }),
  })
  .map(({ pairs, ownShare, ...rest }) => ({
    ...rest,
    attributes: pairs.flat(),
    ...(ownShare !== undefined && { ownLength: 2 * Math.min(ownShare, pairs.length) }),
  }))

t.test('records arrive as they were sent, in their order', async () => {
  forAll(fc.array(fc.option(record, { nil: undefined, freq: 8 }), { size: '+1' }), records => {
    const packed = deserialize(serialize(packRecords(records)))
    assert.deepEqual(unpackRecords(packed), structuredClone(records))
  })
})

t.test('a name travels once, and records of one stream share it', async t => {
  const stream = { service: 'a', environment: 'live' }
  const one = { timestamp: 1, level: 'info', message: 'm', attributes: ['host', 'h'], stream }
  const packed = packRecords([one, { ...one, stream: { ...stream } }])
  t.strictSame(packed.names, ['info', 'a', 'live', 'host'])
  const [first, second] = unpackRecords(packed)
  t.equal(first?.stream, second?.stream)
})
