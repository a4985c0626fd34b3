import assert from 'node:assert/strict'
import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import t from 'tap'
import type { SourceRef } from '../../src/index/source.ts'
import { packSources, UnpackedSources } from '../../src/query/packed-sources.ts'
import type { ScanSource } from '../../src/query/scan-task.ts'
import { forAll } from '../for-all.ts'

/** Offsets and sizes of files: whole numbers that a double holds. */
const place = fc.maxSafeNat()
const crc = fc.nat(2 ** 32 - 1)

const arbitrarySource: fc.Arbitrary<ScanSource> = fc.record({
  number: fc.nat(),
  path: fc.constantFrom('/a/1.journal', '/a/2.journal', '/b/é 3.segment'),
  source: fc.oneof(
    fc.record({ kind: fc.constant('journal'), file: place, offset: place, bytes: place }),
    fc.record({
      kind: fc.constant('block'),
      segment: place,
      directory: fc.record({ offset: place, bytes: place, crc }),
      bytes: place,
      skip: fc.option(
        fc.record({
          index: fc.record({ offset: place, bytes: fc.integer({ min: 1 }), crc }),
          block: fc.nat(),
        }),
        { nil: undefined },
      ),
    }),
  ) as fc.Arbitrary<SourceRef>,
  isCounted: fc.boolean(),
  isSifted: fc.boolean(),
})

t.test('sources arrive as they were sent, in their order', async () => {
  forAll(fc.array(arbitrarySource, { size: '+1' }), sources => {
    const packed = deserialize(serialize(packSources(sources)))
    const unpacked = new UnpackedSources(packed)
    assert.deepEqual([...unpacked], structuredClone(sources))
    assert.equal(unpacked.length, sources.length)
    assert.deepEqual([...unpacked], [...unpacked], 'as often as they are asked for')
  })
})

t.test('a path travels once, however many sources lie in its file', async t => {
  const source = { kind: 'journal', file: 1, offset: 0, bytes: 10 } as const
  const at = (number: number) => ({ number, path: '/a/1.journal', source, isCounted: false })
  t.strictSame(packSources([at(0), at(1), at(2)]).paths, ['/a/1.journal'])
})
