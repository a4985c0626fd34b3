/** How often chance alone makes a finding of what has not changed: no more than it is said to. */
import fc from 'fast-check'
import t from 'tap'
import { changeOf, isMore } from '../../../src/query/compare/change.ts'
import { forAll } from '../../for-all.ts'

/** What is promised of a single comparison. */
const promised = 0.001
/** Of counts below five, G² is a rough guide. */
const slack = 2

/** How likely each count of `total` records is, of which each has something with probability `share`. */
function binomial(total: number, share: number): Float64Array {
  const likely = new Float64Array(total + 1)
  let logarithm = total * Math.log1p(-share)
  for (let count = 0; count <= total; count++) {
    likely[count] = Math.exp(logarithm)
    logarithm += Math.log((total - count) / (count + 1)) + Math.log(share / (1 - share))
  }
  return likely
}

/** How likely a finding is where both sets of records are of the same kind. */
function falseFindings(nowTotal: number, beforeTotal: number, share: number): number {
  const now = binomial(nowTotal, share)
  const before = binomial(beforeTotal, share)
  let sum = 0
  for (let count = 0; count <= nowTotal; count++) {
    if (now[count]! < 1e-9) continue
    for (let other = 0; other <= beforeTotal; other++) {
      const likely = now[count]! * before[other]!
      if (likely < 1e-12) continue
      const change = changeOf({ count, total: nowTotal }, { count: other, total: beforeTotal })
      if (isMore(change)) sum += likely
    }
  }
  return sum
}

t.test(
  'of what has not changed one in a thousand is found at most, however rare it is',
  async t => {
    let highest = 0
    forAll(
      { numRuns: 150, seed: 1 },
      fc.integer({ min: 20, max: 1_000 }),
      fc.integer({ min: 20, max: 2_000 }),
      fc.double({ min: -7, max: -0.7, noNaN: true }),
      (nowTotal, beforeTotal, logarithm) => {
        const rate = falseFindings(nowTotal, beforeTotal, Math.exp(logarithm))
        highest = Math.max(highest, rate)
        return rate <= slack * promised
      },
    )
    t.ok(highest > promised / 10, `the highest of all: ${highest}`)
  },
)

t.test('so it is of hours that are drawn by lot', async t => {
  // A linear congruential generator, that of Numerical Recipes: the same hours each time.
  let state = 1
  const lot = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const kinds = Array.from({ length: 40 }, (_, i) => 1 / (i + 3) ** 1.3)
  const sum = kinds.reduce((all, share) => all + share, 0)
  const draw = (total: number) => {
    const counts = new Uint32Array(kinds.length)
    for (let i = 0; i < total; i++) {
      let left = lot() * sum
      let kind = 0
      while (kind < kinds.length - 1 && left >= kinds[kind]!) left -= kinds[kind++]!
      counts[kind]!++
    }
    return counts
  }
  let [found, trials] = [0, 0]
  for (let hour = 0; hour < 500; hour++) {
    const [now, before] = [draw(600), draw(1_200)]
    for (const [kind, count] of now.entries()) {
      const change = changeOf({ count, total: 600 }, { count: before[kind]!, total: 1_200 })
      if (count > 0) trials++
      if (isMore(change)) found++
    }
  }
  t.ok(found <= slack * promised * trials, `${found} of ${trials}`)
  t.ok(trials > 15_000)
})
