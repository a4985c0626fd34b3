/**
 * How fast are kinds of messages? `node bench/patterns.ts [--count 2000000] [--seed 1] [--runs 7]
 * [--starts 3] [--start-rest 5] [--rest 5] [--fresh] [--reuse] [--from] [FILE…] [--json FILE] [--quick]`, over
 * the data of `query.ts`, all in segments; `--from`: messages are the lines of the files.
 *
 * - First: nothing asked before, `--start-rest` seconds after a start (0: this moment, so that the service is
 *   still compiling itself); the median of `--starts`.
 * - Paced: asked again after `--rest` seconds without any request.
 * - Warm: asked again and again.
 *
 * Times are whole HTTP requests on loopback, one at a time. Up to 2,000,000 records all counts are compared with
 * those of a Map over all messages; a wrong one ends the benchmark. Beyond that only their sum is.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { patternOfMessage } from '../src/columns/patterns/message-pattern.ts'
import { describeStore } from './disk-size.ts'
import { dataOptions, readLines, readOptions } from './options.ts'
import { dataRange, openData } from './query-data.ts'
import { makeRecords } from './records.ts'
import { type BenchRow, writeResults } from './results.ts'
import type { BenchService, HistogramAnswer } from './service.ts'
import { machineLine, median, millis, printTable, whole } from './table.ts'
import { describeWarm, measureWarm } from './warm.ts'

interface PatternsAnswer {
  readonly count: number
  readonly patternCount: number
  readonly patterns: readonly {
    readonly pattern: string
    readonly text: string
    readonly count: number
  }[]
}

/** Messages up to which all are counted for comparison. */
const comparedMax = 2_000_000

const options = readOptions({
  ...dataOptions,
  integers: {
    ...dataOptions.integers,
    starts: { usual: 3, quick: 1 },
    'start-rest': { usual: 5, quick: 0 },
    rest: { usual: 5, quick: 0 },
  },
  switches: ['fresh', 'reuse'],
  takesPositionals: true,
})
const { count, seed, files, runs, starts, rest, json, 'start-rest': startRest } = options
const data = await openData({
  ...{ seed, count, files, keepsMessages: false, isQuick: options.quick },
  ...{ isFresh: options.fresh, isReused: options.reuse },
})
const range = dataRange(count)
const { startTime, endTime } = range
const lastHour = { startTime: endTime - 3_600_000, endTime }
const hourBefore = { startTime: endTime - 7_200_000, endTime: endTime - 3_600_001 }

const told = await data.service.ask<PatternsAnswer>('patterns', { ...range, query: 'logs' })
/** One that is neither rare nor the most of all. */
const chosen = told.patterns[Math.floor(told.patterns.length / 4)]!

const asks = [
  { work: 'patterns', operation: 'patterns', body: { ...range, query: 'logs' } },
  {
    work: 'patterns of one level',
    operation: 'patterns',
    body: { ...range, query: 'logs{log_level="error"}' },
  },
  {
    work: 'patterns of a word',
    operation: 'patterns',
    body: { ...range, query: 'logs |= "block"' },
  },
  {
    work: 'one hour and the one before',
    operation: 'patterns',
    body: { ...lastHour, query: 'logs', compareWith: hourBefore },
  },
  {
    work: 'what changed in an hour',
    operation: 'changes',
    body: { startTime: startTime + 36_000_000, endTime: startTime + 39_599_999, query: 'logs' },
  },
  {
    work: 'histogram of one pattern',
    operation: 'histogram',
    body: { ...range, query: `logs{pattern="${chosen.pattern}"}` },
  },
] as const

const truth = count <= comparedMax ? countPlainly() : undefined
const rows: string[][] = []
const results: BenchRow[] = []
const storeLine = describeStore(data.figures, data.service.dataDir)
await data.service.stop()
for (const { work, operation, body } of asks) {
  process.stderr.write(`${work}\n`)
  const firstMs: number[] = []
  let service: BenchService | undefined
  for (let start = 0; start < starts; start++) {
    await service?.stop()
    service = await data.restart()
    await pause(1_000 * startRest)
    firstMs.push(await timed(service, operation, body))
  }
  const asked = service!
  if (operation === 'histogram') checkChosen(await asked.ask<HistogramAnswer>(operation, body))
  if (work === 'patterns')
    check(await asked.ask<PatternsAnswer>(operation, { ...body, limit: 1_000 }))
  await pause(1_000 * rest)
  const pacedMs = await timed(asked, operation, body)
  const warmMs = await measureWarm(() => timed(asked, operation, body), runs)
  await asked.stop()
  const measures = { 'first ms': firstMs, 'paced ms': [pacedMs], 'warm ms': [warmMs] }
  results.push({ work, measures })
  rows.push([work, millis(median(firstMs)), millis(pacedMs), millis(warmMs)])
}

const meanings = `first: ${startRest} s after a start, median of ${starts}; paced: after ${rest} s of rest`
console.log(`${machineLine()}; ${whole(count)} records; ${meanings}; ${describeWarm(runs)}\n`)
const columns = 'Work: | First ms | Paced ms | Warm ms'
printTable(columns, rows)
console.log(`\n${storeLine}; ${data.origin}`)
writeResults(json, { bench: 'patterns', conditions: { count, seed }, rows: results })

async function timed(service: BenchService, operation: string, body: object): Promise<number> {
  const startedAt = performance.now()
  await service.ask(operation, body)
  return performance.now() - startedAt
}

function countPlainly(): Map<string, number> {
  process.stderr.write('counting the patterns of all records\n')
  const from = files.length === 0 ? undefined : readLines(files)
  const counts = new Map<string, number>()
  for (const { message } of makeRecords({ seed, count, ...(from && { from }) })) {
    const { text } = patternOfMessage(message)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return counts
}

/** Ends the benchmark when one pattern has not as many records as among all of them. */
function checkChosen({ buckets }: HistogramAnswer): void {
  const sum = buckets.reduce((total, bucket) => total + bucket.count, 0)
  if (sum !== chosen.count) throw new Error(`wrong answer: ${sum} of ${chosen.count} records`)
}

/** Ends the benchmark when an answer is wrong. */
function check(answer: PatternsAnswer): void {
  const sum = answer.patterns.reduce((total, pattern) => total + pattern.count, 0)
  if (answer.count !== count || (answer.patternCount <= 1_000 && sum !== count)) {
    throw new Error(`wrong answer: ${sum} of ${answer.count} records`)
  }
  if (truth === undefined) return
  const told = new Map(answer.patterns.map(pattern => [pattern.text, pattern.count]))
  const expected = new Map([...truth].filter(([text]) => told.has(text)))
  const isSame = truth.size === answer.patternCount && isDeepStrictEqual(told, expected)
  if (!isSame) throw new Error('wrong answer: patterns')
}
