/**
 * Whether the time of a look-up tells how much of a guess is right: Welch's t-test on two kinds of
 * wrong credentials, such that are right but for the last characters and such that are wrong at all.
 *
 * `node test/hostile/timing.ts TRIES` prints t for API keys and tokens; beyond 4.5 there is a leak.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeRandom } from '../../bench/random.ts'
import { openCatalog } from '../../src/catalog/catalog.ts'

/** Look-ups that are timed together: one alone is shorter than the clock is fine. */
const perTry = 50
/** Of the longest times so many are left out: interrupts, garbage collection. */
const leftOutShare = 0.1

const tries = Number(process.argv[2] ?? 100_000)
const dataDir = fs.mkdtempSync(join(tmpdir(), 'logstrata-timing-'))
const catalog = await openCatalog({ dataDir, now: Date.now })
const { key } = await catalog.apiKeys.create({ name: 'a', role: 'viewer' })
const { token } = await catalog.ingestionTokens.create({ serviceName: 'a', environment: 'b' })
for (const [what, secret, find] of [
  ['API keys', key, (guess: string) => catalog.apiKeys.find(guess)],
  ['tokens', token, (guess: string) => catalog.ingestionTokens.find(guess)],
] as const) {
  const random = makeRandom(1)
  // Many guesses of each kind: where one digest lies in a table is a matter of chance, not of likeness.
  const guessAfter = (rightLength: number) => {
    const right = secret.slice(0, rightLength)
    return right + random.hex(64).slice(0, secret.length - rightLength)
  }
  const times = { almost: [] as number[], wrong: [] as number[] }
  for (let i = 0; i < 2 * tries; i++) {
    const isAlmost = random.below(2) === 0
    // A fresh, flat string, as a header's is: those made by joining others take longer to read.
    const guess = Buffer.from(guessAfter(isAlmost ? secret.length - 8 : 0)).toString('latin1')
    const startedAt = process.hrtime.bigint()
    for (let n = 0; n < perTry; n++) if (find(guess) !== undefined) throw new Error('let in')
    const elapsed = Number(process.hrtime.bigint() - startedAt) / perTry
    times[isAlmost ? 'almost' : 'wrong'].push(elapsed)
  }
  const [a, b] = [summary(times.almost), summary(times.wrong)]
  const t = (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count)
  console.log(`${what}: ${a.mean.toFixed(1)} and ${b.mean.toFixed(1)} ns, t = ${t.toFixed(2)}`)
  if (Math.abs(t) > 4.5) process.exitCode = 1
}
await catalog.close()
fs.rmSync(dataDir, { recursive: true })

function summary(all: number[]) {
  const times = all.sort((a, b) => a - b).slice(0, Math.floor(all.length * (1 - leftOutShare)))
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const variance = times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / times.length
  return { mean, variance, count: times.length }
}
