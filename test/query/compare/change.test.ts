import fc from 'fast-check'
import t from 'tap'
import { changeOf } from '../../../src/query/compare/change.ts'
import { forAll } from '../../for-all.ts'

const share = (count: number, total: number) => ({ count, total })

t.test('the measure is G² as Dunning has it', async t => {
  // 110 of 2,552 and 111 of 29,225: the first example of the paper's table is 270.72.
  t.equal(changeOf(share(110, 2_552), share(111, 29_225)).score, 270.722)
  t.equal(changeOf(share(111, 29_225), share(110, 2_552)).score, -270.722)
})

t.test('volume alone is no change', async () => {
  forAll(
    fc.integer({ min: 1, max: 1_000 }),
    fc.integer({ min: 0, max: 1_000 }),
    fc.integer({ min: 1, max: 1_000 }),
    (count, others, times) => {
      const before = share(count, count + others)
      const now = share(times * count, times * (count + others))
      const { kind, score } = changeOf(now, before)
      return kind === 'same' && score === 0
    },
  )
})

t.test('a change has its opposite', async () => {
  const count = fc.nat(10_000)
  forAll(count, count, count, count, (a, b, c, d) => {
    const now = share(a, a + b)
    const before = share(c, c + d)
    const there = changeOf(now, before).score
    const back = changeOf(before, now).score
    return there === -back || Math.abs(there) === 0
  })
})

t.test('kinds of changes', async t => {
  const isKind = (kind: string, now: [number, number], before: [number, number]) =>
    t.equal(changeOf(share(...now), share(...before)).kind, kind, `${now} ${before}`)
  isKind('new', [1, 10], [0, 10])
  isKind('new', [1, 10], [0, 0])
  isKind('gone', [0, 10], [1, 10])
  isKind('gone', [0, 0], [1, 10])
  isKind('same', [0, 10], [0, 10])
  isKind('same', [2, 10], [1, 10]) // May well be chance.
  isKind('grown', [200, 1_000], [100, 1_000])
  isKind('shrunk', [100, 1_000], [200, 1_000])
  isKind('same', [1_100_000, 10_000_000], [1_000_000, 10_000_000]) // No chance, and little.
})
