/** A short run of each fuzzer, with another seed each day; `npm run fuzz` goes on for as long as wanted. */
import t from 'tap'
import { seed, share } from '../long-runs.ts'
import { fuzz } from './target.ts'
import { fuzzed } from './targets.ts'

/** Cases are numbered from a run's seed on: days lie so far apart that none has a case of another. */
const firstCase = (seed % 10_000) * 100_000

for (const [name, { make, atOnce, shortCount }] of Object.entries(fuzzed)) {
  t.test(`no ${name} that a fuzzer makes bring anything down, or are misread`, async t => {
    const count = share(shortCount)
    const report = await fuzz(await make(), { seed: firstCase, count, atOnce })
    t.same(report.failures, [], `slowest: ${report.slowestMs.toFixed(0)} ms`)
    t.equal(report.count, count)
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
