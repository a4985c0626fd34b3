/**
 * What do queries cost as the data grow? `node bench/growth.ts [--counts 1000000,2000000,4000000,
 * 8000000] [--seed 1] [--runs 7] [--json FILE] [--quick]`.
 *
 * One store grows from count to count, as in life: later records have later times, 2,000,000 a day.
 * At each count, when all is sealed and compacted, the same queries are asked about all of it, warm,
 * and compared with the oracle's answers as in `query.ts`. One record has the trace id, at any count.
 */
import { mkdirSync } from 'node:fs'
import { readMemory } from './child.ts'
import { diskBytes } from './disk-size.ts'
import { prepare, timeQuery } from './measure.ts'
import { integersOption, readOptions } from './options.ts'
import { Oracle } from './oracle.ts'
import { loadAndSettle } from './query-data.ts'
import { queriesNamed } from './query-list.ts'
import { defaultStartTime, makeRecords } from './records.ts'
import { type BenchRow, writeResults } from './results.ts'
import { benchDataDir, startService } from './service.ts'
import { settlingFlags } from './settle.ts'
import { machineLine, millis, printTable, whole } from './table.ts'
import { describeWarm, measureWarm } from './warm.ts'

const { quick, json, seed, runs, ...given } = readOptions({
  integers: { seed: 1, runs: { usual: 7, quick: 3 } },
  texts: ['counts'],
})
const defaultCounts = quick ? '25000,100000' : '1000000,2000000,4000000,8000000'
const counts = integersOption('counts', given.counts ?? defaultCounts)
if (counts.some((count, step) => count <= (counts[step - 1] ?? 0))) {
  throw new Error(`--counts must grow, was "${counts.join(',')}"`)
}
const queries = queriesNamed([
  'count over everything',
  'count by service and level',
  'histogram by minute and level',
  'count of a phrase',
  'count of a substring inside words',
  'count of a word that is nowhere',
  'exact trace id, record',
  'first 100 of one level, with the total',
])
const millisPerRecord = (24 * 60 * 60 * 1000) / 2_000_000
const timeAfter = (records: number) => Math.round(defaultStartTime + records * millisPerRecord)

mkdirSync(benchDataDir, { recursive: true })
const name = 'growth'
const oracle = new Oracle({ recordsMax: counts.at(-1)!, keepsMessages: false })
const service = await startService({
  name,
  durability: 'disk',
  data: 'fresh',
  flags: settlingFlags(quick),
})
const tokens = await service.makeTokens()

const times = queries.map((): number[] => [])
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
  for (const [row, query] of queries.entries()) {
    process.stderr.write(`${whole(count)} records: ${query.work}\n`)
    const prepared = prepare(query, oracle, range)
    times[row]!.push(await measureWarm(() => timeQuery(service, prepared), runs))
  }
  states.blocks.push(figures.segmentBlocks)
  states.segments.push(figures.segmentFiles)
  states.bytes.push(diskBytes(service.dataDir) / count)
  states.memory.push(readMemory(service.pid).residentBytes / 1e6)
}
await service.stop()

const grown = counts.at(-1)! / counts[0]!
console.log(`${machineLine()}; ${describeWarm(runs)}\n`)
printTable(
  [
    'Work:',
    ...counts.map(count => `${whole(count)} ms`),
    `× for ${grown.toFixed(1)} × the records`,
  ],
  [
    ...queries.map(({ work }, row) => {
      const ofRow = times[row]!
      return [work, ...ofRow.map(millis), (ofRow.at(-1)! / ofRow[0]!).toFixed(1)]
    }),
    ['(blocks)', ...states.blocks.map(whole), ''],
    ['(segments)', ...states.segments.map(whole), ''],
    [
      '(bytes per record on disk, index and all)',
      ...states.bytes.map(bytes => bytes.toFixed(1)),
      '',
    ],
    ['(memory, MB)', ...states.memory.map(whole), ''],
  ],
)
console.log("\nevery answer equals the oracle's")
writeResults(json, {
  bench: 'growth',
  conditions: { seed },
  rows: counts.flatMap((count, step): BenchRow[] => [
    ...queries.map(({ work }, row) => ({
      work: `${work}, ${whole(count)} records`,
      measures: { 'warm ms': [times[row]![step]!] },
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
