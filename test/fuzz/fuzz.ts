/**
 * `npm run fuzz -- --target NAME --seed=N --count=N`: one target of `targets.ts`, or all of them when
 * none is named. A failure is repeated by its own seed and `--count=1`.
 */
import { parseArgs } from 'node:util'
import { fuzz, hangMs } from './target.ts'
import { fuzzed } from './targets.ts'

/** How long what a sender has sent may hold up others: the least of several tries, in the processor's time. */
const stallMs = 50

const { values } = parseArgs({
  options: {
    target: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    count: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  const names = Object.keys(fuzzed).join(', ')
  console.log(`npm run fuzz -- [--target NAME] [--seed=N] [--count=N]\n\nTargets: ${names}`)
  process.exit()
}
const seed = Number(values.seed)
const names = values.target === undefined ? Object.keys(fuzzed) : [values.target]
for (const name of names) {
  const target = fuzzed[name]
  if (target === undefined) throw new Error(`expected one of ${Object.keys(fuzzed).join(', ')}`)
  const count = Number(values.count ?? target.shortCount)
  const { atOnce, isDecoder } = target
  const caseMsMax = isDecoder ? stallMs : hangMs
  const startedAt = performance.now()
  const report = await fuzz(await target.make(), { seed, count, atOnce, caseMsMax })
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  const slowest = `${report.slowestMs.toFixed(0)} ms (seed ${report.slowestSeed})`
  console.log(
    `${name}: ${report.count} cases from seed ${seed} in ${seconds} s, slowest ${slowest}, ${report.failures.length} failures`,
  )
  for (const failure of report.failures) console.log(`seed ${failure.seed}: ${failure.reason}`)
  if (report.failures.length > 0) process.exitCode = 1
}
