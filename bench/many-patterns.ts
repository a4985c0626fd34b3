/**
 * What do kinds of messages cost where nearly each message is one of its own? `node bench/many-patterns.ts
 * [--count 1000000] [--seed 1] [--json FILE] [--quick]` sends lines of random words, all in segments, and
 * asks for their patterns and for what changed. More kinds than are kept are let go of: the answer must say
 * so, and what it counts must be no more than there is.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { readMemory } from './child.ts'
import { readOptions } from './options.ts'
import { dataRange, openData } from './query-data.ts'
import { makeRandom } from './random.ts'
import { writeResults } from './results.ts'
import { benchDataDir } from './service.ts'
import { services } from './streams.ts'
import { machineLine, millis, printTable, whole } from './table.ts'

interface PatternsAnswer {
  readonly count: number
  readonly patternCount?: number
  readonly truncated?: true
  readonly patterns: readonly { readonly count: number }[]
}

const options = readOptions({
  integers: { count: { usual: 1_000_000, quick: 50_000 }, seed: 1 },
})
const { count, seed, json, quick: isQuick } = options
mkdirSync(benchDataDir, { recursive: true })
const random = makeRandom(seed)
// Each service takes the lines of a file of its own, again from the first one after the last.
const files = services.map((_, i) => {
  const path = `${benchDataDir}random-words-${i}.txt`
  writeFileSync(path, linesOfChance(Math.ceil(count / 5)))
  return path
})
const data = await openData({
  ...{ seed, count, files, keepsMessages: false, isQuick },
  isFresh: true,
})
const { service } = data
const range = dataRange(count)
const middle = Math.floor((range.startTime + range.endTime) / 2)
const asks = [
  ['patterns', 'patterns', range],
  ['what changed in an hour', 'changes', { startTime: middle, endTime: middle + 3_599_999 }],
] as const
const rows: string[][] = []
const results = []
for (const [work, operation, times] of asks) {
  const took: number[] = []
  for (let run = 0; run < 3; run++) {
    const startedAt = performance.now()
    const answer = await service.ask<PatternsAnswer>(operation, { ...times, query: 'logs' })
    took.push(performance.now() - startedAt)
    check(answer, operation)
  }
  results.push({ work, measures: { ms: took } })
  rows.push([work, ...took.map(millis)])
}
const { residentBytes, peakBytes } = readMemory(service.pid)
const columns = 'Work: | First ms | Second ms | Third ms'
console.log(`${machineLine()}; ${whole(count)} messages of random words\n`)
printTable(columns, rows)
console.log(`\nmemory: ${whole(residentBytes / 1e6)} MB, ${whole(peakBytes / 1e6)} at most`)
writeResults(json, { bench: 'many-patterns', conditions: { count, seed }, rows: results })
await service.stop()
for (const path of files) rmSync(path)

/** Three to eight words of three to nine letters each. */
function linesOfChance(lineCount: number): string {
  const letter = () => String.fromCharCode(0x61 + random.below(26))
  const word = () => Array.from({ length: 3 + random.below(7) }, letter).join('')
  const line = () => Array.from({ length: 3 + random.below(6) }, word).join(' ')
  return Array.from({ length: lineCount }, line).join('\n')
}

/** Ends the benchmark when an answer is wrong. */
function check(answer: PatternsAnswer, operation: string): void {
  const { count: told, patternCount, truncated, patterns } = answer
  const sum = patterns.reduce((total, pattern) => total + pattern.count, 0)
  if (sum > told) throw new Error(`wrong answer: ${sum} of ${told} records`)
  if (operation !== 'patterns') return
  if (told !== count) throw new Error(`wrong answer: ${told} of ${count} records`)
  if (truncated !== true)
    throw new Error(`wrong answer: ${patternCount} patterns, not said to be cut`)
}
