/** Prints the ten files of the last run of the tests that took longest, and what all took together. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from './built.ts'

const directory = join(projectRoot, '.tap', 'test-results')
const ending = '.tap'

interface Timed {
  readonly name: string
  readonly seconds: number
}

const sumOf = (seconds: readonly number[]) => seconds.reduce((sum, each) => sum + each, 0)
const timesIn = (output: string, line: RegExp) =>
  [...output.matchAll(line)].map(([, ms]) => Number(ms) / 1_000)

/**
 * What a process says of its files: one that ran alone, how long all of it took (nothing when it crashed);
 * several (`batches/run-group.ts`), the name of each before its tests.
 */
function timedIn(name: string, output: string): Timed[] {
  const [, ...together] = output.split(/^# (test\/\S+\.test\.ts)$/m)
  if (together.length === 0)
    return [{ name, seconds: timesIn(output, /^# time=([\d.]+)ms$/gm).at(-1) ?? 0 }]
  return Array.from({ length: together.length / 2 }, (_, i) => {
    const [path = '', tests = ''] = together.slice(2 * i)
    const seconds = sumOf(timesIn(tests, /^(?:not )?ok .* # time=([\d.]+)ms$/gm))
    return { name: path, seconds }
  })
}

const results = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith(ending))
  .map(name => ({ name, at: statSync(join(directory, name)).mtimeMs }))
  // Of a file that ran twice, such as alone and with others, the last time counts.
  .sort((one, other) => one.at - other.at)
  .flatMap(({ name }) =>
    timedIn(name.slice(0, -ending.length), readFileSync(join(directory, name), 'utf8')),
  )
  // tap keeps the results of files that are gone.
  .filter(({ name }) => existsSync(join(projectRoot, name)))
const files = [...new Map(results.map(({ name, seconds }) => [name, seconds]))]
  .map(([name, seconds]) => ({ name, seconds }))
  .sort((one, other) => other.seconds - one.seconds)
const all = sumOf(files.map(({ seconds }) => seconds))
console.log(`${files.length} files of tests took ${all.toFixed(0)} s in all. The slowest:`)
for (const { name, seconds } of files.slice(0, 10)) {
  console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`)
}
