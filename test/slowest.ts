/** Prints the ten files of the last run of the tests that took longest, and what all took together. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './built.ts'

const results = join(projectRoot, '.tap', 'test-results')
const ending = '.tap'

/** How long a file took by its own last word: `# time=138.349ms`. It has none when it crashed. */
function secondsOf(output: string): number | undefined {
  const [, ms] = [...output.matchAll(/^# time=([\d.]+)ms$/gm)].at(-1) ?? []
  return ms === undefined ? undefined : Number(ms) / 1_000
}

const files = readdirSync(results, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith(ending))
  // tap keeps the results of files that are gone.
  .filter(name => existsSync(join(projectRoot, name.slice(0, -ending.length))))
  .map(name => ({
    name: name.slice(0, -ending.length),
    seconds: secondsOf(readFileSync(join(results, name), 'utf8')) ?? 0,
  }))
  .sort((one, other) => other.seconds - one.seconds)
const all = files.reduce((sum, { seconds }) => sum + seconds, 0)
console.log(`${files.length} files of tests took ${all.toFixed(0)} s in all. The slowest:`)
for (const { name, seconds } of files.slice(0, 10)) {
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`)
}
