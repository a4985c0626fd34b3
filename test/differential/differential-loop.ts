/**
 * `npm run differential -- --rounds N --seed N --events N --questions N`: as many rounds, each on a new
 * directory and with a seed of its own, the first one's being the one given. A failure is repeated by its
 * round's seed and `--rounds 1`.
 */
import fs from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runDifferential } from './differential.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
    events: { type: 'string', default: '3000' },
    questions: { type: 'string', default: '100' },
  },
})
const [events, questions] = [Number(values.events), Number(values.questions)]

for (let round = 0; round < Number(values.rounds); round++) {
  const seed = Number(values.seed) + round
  const dataDir = await fs.mkdtemp(join(os.tmpdir(), 'logstrata-differential-'))
  try {
    const report = await runDifferential(dataDir, { seed, events, questions })
    console.log(
      `seed ${seed}: ${events} events, ${report.questions} questions in five operations, ` +
        `${report.matched} records matched, ${report.tailed} tailed: all as expected`,
    )
  } catch (error) {
    console.log(`seed ${seed}: ${(error as Error).stack}`)
    process.exitCode = 1
  } finally {
    await fs.rm(dataDir, { recursive: true })
  }
}
