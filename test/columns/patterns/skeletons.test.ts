/** Skeletons of short messages are written in another way than those of any; a table tells each from all others. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { skeletonOf, writeOfAny, writeSkeleton } from '../../../src/columns/patterns/skeleton.ts'
import { SkeletonTable } from '../../../src/columns/patterns/skeleton-table.ts'
import { anyCodePoint } from '../../any-code-point.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'

const part = fc.oneof(
  fc.constantFrom(
    ...[' ', '\n', '\t', '\r', '{', '"a":', 'word', 'x1', '7', 'deadbeef', 'DEADBEEF', 'DeadBeef'],
    ...[
      'deadbee',
      'facade',
      'facadefg',
      'é',
      '\0',
      '\0\0',
      'a\nb',
      'w'.repeat(400),
      '1'.repeat(990),
    ],
  ),
  fc.string({ unit: anyCodePoint, maxLength: 9 }),
)
const message = fc
  .array(part, { maxLength: 12 })
  .map(all => Buffer.from(all.join('')))
  .filter(bytes => bytes.length <= 1_000)

function plainly(bytes: Buffer): string {
  const room = Buffer.alloc(1_002)
  return room.toString('latin1', 0, writeOfAny(bytes, 0, bytes.length, room))
}

t.test('the skeleton of a short message is what it is of any', async () => {
  forAll(longRuns(20_000), message, fc.nat(3), (bytes, from) => {
    const room = Buffer.alloc(1_002, 'x')
    const length = writeSkeleton(bytes, Math.min(from, bytes.length), bytes.length, room)
    assert.equal(room.toString('latin1', 0, length), plainly(bytes.subarray(from)))
  })
})

t.test('a table numbers each skeleton once', async t => {
  let equal = 0
  forAll(longRuns(2_000), fc.array(message, { maxLength: 40 }), messages => {
    const table = new SkeletonTable()
    const numbers = new Map<string, number>()
    for (const bytes of [...messages, ...messages.slice(0, 3)]) {
      const skeleton = plainly(bytes)
      if (numbers.has(skeleton)) equal++
      else numbers.set(skeleton, numbers.size)
      const number = table.add(Buffer.concat([Buffer.from('1'), bytes]), 1, bytes.length + 1)
      assert.equal(number, numbers.get(skeleton))
      assert.equal(table.latin1Of(number), skeleton)
    }
    assert.equal(table.count, numbers.size)
  })
  t.ok(equal > 100)
})

const lettersOf = (i: number) =>
  [...String(1_000_000 + i)].map(digit => 'ghijklmnop'[+digit]).join('')

t.test('a table of so many that some have the same hash', async t => {
  const sameHashes = ['ywgsjzlhymmz', 'ghmvtwguuruu', 'guixvuxmuqny', 'luqiggwrxmkr']
  const messages = [...sameHashes, ...Array.from({ length: 300_000 }, (_, i) => lettersOf(i))].map(
    text => Buffer.from(text),
  )
  const table = new SkeletonTable()
  const numberOf = (bytes: Buffer) => table.add(bytes, 0, bytes.length)
  t.ok(messages.every((bytes, i) => numberOf(bytes) === i))
  t.ok(
    messages.every((bytes, i) => numberOf(bytes) === i && table.latin1Of(i) === skeletonOf(bytes)),
  )
})
