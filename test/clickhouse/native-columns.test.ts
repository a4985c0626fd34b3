/** What adds many values at once, or numbers without a bigint, adds the same bytes. */

import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  CodedColumn,
  IntegerColumn,
  LongColumn,
  longs,
  StringColumn,
} from '../../src/store/clickhouse/native-columns.ts'
import { isOfNanoseconds, nanosecondsOf } from '../../src/store/clickhouse/row-times.ts'
import { forAll } from '../for-all.ts'
import { longRuns } from '../long-runs.ts'

/** Without what differs: to write that of so many bytes takes minutes. */
function assertSame(fast: Buffer, plain: Buffer): void {
  assert.ok(fast.equals(plain), 'the bytes differ')
}

/** In ns they are just below what a row holds, and around where the half of 4 bytes is full. */
const edges = [9_223_372_036_854, 4_294, 4_295, 4_294_967_295, 4_294_967_296, 18_446_744_073]
const time = fc.oneof(
  fc.constantFrom(...edges, ...edges.map(edge => edge + 1)),
  fc.integer({ min: -10, max: 2 ** 44 }),
  fc.maxSafeInteger(),
)

t.test('milliseconds as nanoseconds', async () => {
  forAll(longRuns(5_000), time, time => {
    const [fast, plain] = [new LongColumn(), new LongColumn()]
    if (!isOfNanoseconds(time)) return
    fast.addMillions(time)
    plain.addBigint(nanosecondsOf(time, undefined))
    assertSame(fast.take(), plain.take())
  })
})

t.test('whole numbers', async () => {
  forAll(longRuns(1_000), fc.array(fc.maxSafeNat()), values => {
    const column = new LongColumn()
    for (const value of values) column.addNumber(value)
    assertSame(longs(...values), column.take())
  })
})

const times = fc.nat({ max: 10_000 })

t.test('the same value many times', async () => {
  forAll(longRuns(200), fc.nat({ max: 70_000 }), times, times, (value, before, count) => {
    const [fast, plain] = [new IntegerColumn(), new IntegerColumn()]
    for (let i = 0; i < before; i++) for (const column of [fast, plain]) column.add(i)
    fast.addSame(value, count)
    for (let i = 0; i < count; i++) plain.add(value)
    assertSame(fast.take(), plain.take())
    fast.addSame(value, count)
    for (let i = 0; i < count; i++) plain.add(value)
    assertSame(fast.takeBelow(70_001), plain.takeBelow(70_001))
  })
})

t.test('the same text many times', async () => {
  forAll(longRuns(200), fc.string(), times, (text, count) => {
    const [fast, plain] = [new CodedColumn(), new CodedColumn()]
    for (const column of [fast, plain]) column.add(column.codeOf('first'))
    const [code, plainCode] = [fast.codeOf(text), plain.codeOf(text)]
    fast.addSame(code, count)
    for (let i = 0; i < count; i++) plain.add(plainCode)
    assert.equal(fast.byteLength, plain.byteLength)
    assertSame(Buffer.concat(fast.take()), Buffer.concat(plain.take()))
  })
})

t.test('no text many times', async () => {
  forAll(longRuns(200), fc.nat({ max: 200_000 }), count => {
    const [fast, plain] = [new StringColumn(), new StringColumn()]
    const text = Buffer.from('text')
    for (const column of [fast, plain]) column.add(text, 0, text.length)
    fast.addEmpties(count)
    for (let i = 0; i < count; i++) plain.addEmpty()
    for (const column of [fast, plain]) column.add(text, 1, 3)
    assertSame(fast.take(), plain.take())
  })
})
