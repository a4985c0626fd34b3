/** A short run of each fuzzer from a fixed seed; `npm run fuzz` goes on for as long as wanted. */
import t from 'tap'
import { fuzz } from './target.ts'
import { fuzzed } from './targets.ts'

const seed = 20_261_120

for (const [name, { make, atOnce, shortCount }] of Object.entries(fuzzed)) {
  t.test(`no ${name} that a fuzzer makes bring anything down, or are misread`, async t => {
    const report = await fuzz(await make(), { seed, count: shortCount, atOnce })
    t.same(report.failures, [], `slowest: ${report.slowestMs.toFixed(0)} ms`)
    t.equal(report.count, shortCount)
  })
}

t.test('a case that fails is named by a seed that repeats it', async t => {
  const reasons: number[] = []
  const target = {
    tryOne(random: { below(bound: number): number }) {
      const number = random.below(100)
      if (number === 42) {
        reasons.push(number)
        throw new Error('unlucky')
      }
    },
  }
  const { failures } = await fuzz(target, { seed: 1, count: 500 })
  t.ok(failures.length > 0)
  const again = await fuzz(target, { seed: failures[0]!.seed, count: 1 })
  t.equal(again.failures.length, 1)
})
