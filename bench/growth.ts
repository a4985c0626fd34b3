/**
 * What do queries cost as the data grow? `node bench/growth.ts [--counts 1000000,2000000,4000000,
 * 8000000] [--seed 1] [--runs 3] [--start-rest 5] [--json FILE] [--quick]`.
 *
 * One store grows from count to count, as in life: later records have later times, 2,000,000 a day.
 * At each count, when all is sealed and compacted, the same queries are asked about all of it, first and
 * warm as in `query.ts` (medians of `--runs` restarts and rounds), and compared with the oracle's answers.
 * One record has the trace id, at any count.
 */
import { mkdirSync } from 'node:fs'
import { diskBytes } from './disk-size.ts'
import { pathOfNothing, prepare } from './measure.ts'
import { integersOption, readOptions } from './options.ts'
import { Oracle } from './oracle.ts'
import { loadAndSettle } from './query-data.ts'
import { histogramByHour, queriesNamed } from './query-list.ts'
import { asksInARow, QueryPhases, subjectOf } from './query-phases.ts'
import { defaultStartTime, makeRecords } from './records.ts'
import { type BenchRow, writeResults } from './results.ts'
import { benchDataDir, startService } from './service.ts'
import { settlingFlags } from './settle.ts'
import { machineLine, median, millis, printTable, whole } from './table.ts'

const { quick, json, seed, runs, ...given } = readOptions({
  integers: {
    seed: 1,
    runs: { usual: 3, quick: 1 },
    'start-rest': { usual: 5, quick: 0 },
  },
  texts: ['counts'],
})
const defaultCounts = quick ? '25000,100000' : '1000000,2000000,4000000,8000000'
const counts = integersOption('counts', given.counts ?? defaultCounts)
if (counts.some((count, step) => count <= (counts[step - 1] ?? 0))) {
  throw new Error(`--counts must grow, was "${counts.join(',')}"`)
}
const queries = [
  ...queriesNamed(['count over everything', 'count by service and level']),
  histogramByHour,
  ...queriesNamed([
    'count of a phrase',
    'count of a substring inside words',
    'count of a word that is nowhere',
    'exact trace id, record',
    'first 100 of one level, with the total',
  ]),
]
const asked = ['first', 'warm'] as const
const millisPerRecord = (24 * 60 * 60 * 1000) / 2_000_000
const timeAfter = (records: number) => Math.round(defaultStartTime + records * millisPerRecord)

mkdirSync(benchDataDir, { recursive: true })
const oracle = new Oracle({ recordsMax: counts.at(-1)!, keepsMessages: false })
const start = (data: 'fresh' | 'kept') =>
  startService({ name: 'growth', durability: 'disk', data, flags: settlingFlags(quick) })
let service = await start('fresh')
const restart = async () => {
  service = await start('kept')
  return subjectOf(service)
}
const tokens = await service.makeTokens()

const workOfNothing = `an answer without a question (\`${pathOfNothing}\`)`
const works = [workOfNothing, ...queries.map(({ work }) => work)]
/** Of each work at each count, ms. */
const times = works.map(() => ({ first: [] as number[], warm: [] as number[] }))
const states: Record<'blocks' | 'segments' | 'bytes' | 'memory', number[]> = {
  blocks: [],
  segments: [],
  bytes: [],
  memory: [],
}
for (const [step, count] of counts.entries()) {
  const before = counts[step - 1] ?? 0
  const records = makeRecords({
    seed: seed + step,
    count: count - before,
    startTime: timeAfter(before),
    endTime: timeAfter(count),
    isPlanted: step === 0,
  })
  const { figures } = await loadAndSettle(service, tokens, oracle.watch(records))
  const range = { startTime: defaultStartTime, endTime: timeAfter(count) - 1 }
  const prepared = queries.map(query => prepare(query, oracle, range))
  const startRestMs = given['start-rest'] * 1000
  const options = { rounds: runs, startRestMs, restMs: 0, pacedRuns: 0, warmRounds: runs }
  const run = new QueryPhases(subjectOf(service), restart, prepared, options)
  for (const phase of asked) {
    process.stderr.write(`${whole(count)} records: ${phase}\n`)
    await run.run(phase)
    times[0]![phase].push(median(run.timesOfNothing[phase]!))
    for (const row of queries.keys()) times[row + 1]![phase].push(median(run.timesOf(row)[phase]!))
  }
  states.blocks.push(figures.segmentBlocks)
  states.segments.push(figures.segmentFiles)
  states.bytes.push(diskBytes(service.dataDir) / count)
  states.memory.push(run.memory.warm!.residentBytes / 1e6)
}
await service.stop()

const millionsMore = (counts.at(-1)! - counts[0]!) / 1e6
const morePerMillion = (ms: readonly number[]) => (ms.at(-1)! - ms[0]!) / millionsMore
const rest = `${given['start-rest']} s after a restart, page cache warm`
console.log(
  `${machineLine()}; first: once, ${rest}, median of ${runs}; warm: the ${asksInARow}th in a row, ` +
    `median of ${runs}\n`,
)
printTable(
  [
    'Work:',
    ...asked.flatMap(phase => [
      ...counts.map(count => `${phase}, ${count / 1e6}M, ms`),
      'more a million',
    ]),
  ],
  works.map((work, row) => [
    work,
    ...asked.flatMap(phase => {
      const ofRow = times[row]![phase]
      return [...ofRow.map(millis), counts.length === 1 ? '' : morePerMillion(ofRow).toFixed(2)]
    }),
  ]),
)
console.log()
printTable(
  ['State:', ...counts.map(whole)],
  [
    ['blocks', ...states.blocks.map(whole)],
    ['segments', ...states.segments.map(whole)],
    ['bytes per record on disk, index and all', ...states.bytes.map(bytes => bytes.toFixed(1))],
    ['memory after warm, MB', ...states.memory.map(whole)],
  ],
)
console.log("\nevery answer equals the oracle's")
writeResults(json, {
  bench: 'growth',
  conditions: { seed },
  rows: counts.flatMap((count, step): BenchRow[] => [
    ...works.map((work, row) => ({
      work: `${work}, ${whole(count)} records`,
      measures: {
        'first ms': [times[row]!.first[step]!],
        'warm ms': [times[row]!.warm[step]!],
      },
    })),
    {
      work: `${whole(count)} records`,
      measures: {
        'bytes on disk per record': [states.bytes[step]!],
        'memory MB': [states.memory[step]!],
      },
    },
  ]),
})
