/**
 * How fast events come in: `node bench/ingest.ts [--quick] [--durability disk|written] [--rounds 3]
 * [--seconds 5] [--count 2000000] [--seed 1] [--json FILE]`.
 *
 * Prints one table: the median of all rounds. Baselines and the service take turns within each round,
 * so that drift of the machine meets all of them alike. Fails when an answer was not 2xx or when an
 * acknowledged record is not found. `--count` is the number of records for the memory at the end.
 */
import { mkdirSync } from 'node:fs'
import { type BulkShape, makeShapes, measureJsonParse, runBulk, runToEnd } from './ingest-bulk.ts'
import { runBare, runSingle } from './ingest-single.ts'
import { writeRing } from './load.ts'
import { readOptions } from './options.ts'
import { makeRecords } from './records.ts'
import { type BenchRow, writeResults } from './results.ts'
import { benchDataDir, type Durability } from './service.ts'
import { machineLine, median, millis, printTable, whole } from './table.ts'

/** What one run of one row measured; several of them make the row. */
interface Run {
  readonly perSecond: number
  readonly p50Ms?: number
  readonly p99Ms?: number
  readonly serverCores?: number
  readonly generatorCores?: number
}

interface Row {
  readonly work: string
  readonly data: string
  readonly durability: string
  readonly connections: number
  readonly toReach: string
  /** The row to which this one's rate is compared. */
  readonly baseline?: Row
  readonly measure: () => Promise<Run>
  readonly runs: Run[]
}

const { quick, json, seed, rounds, seconds, count, durability } = readOptions({
  integers: {
    rounds: { usual: 3, quick: 1 },
    seconds: { usual: 5, quick: 1 },
    count: { usual: 2_000_000, quick: 100_000 },
    seed: 1,
  },
  texts: ['durability'],
})
const bulkCount = Math.min(count, 400_000)
const connectionCounts = quick ? [64] : [1, 64, 256, 1_024]
const durabilities = readDurabilities(durability)

mkdirSync(benchDataDir, { recursive: true })
const bareRingPath = `${benchDataDir}ring-bare.tsv`
const { meanEventBytes } = await writeRing(bareRingPath, seed, [])

const rows = [...singleRows(), ...bulkRows(makeShapes(seed, bulkCount))]
for (let round = 1; round <= rounds; round++) {
  for (const row of rows) {
    process.stderr.write(`round ${round} of ${rounds}: ${row.work}, ${row.durability}\n`)
    row.runs.push(await row.measure())
  }
}
process.stderr.write(`memory after ${whole(count)} records\n`)
const end = await runToEnd({ seed, count, isQuick: quick })

console.log(`${machineLine()}; median of ${rounds} rounds, ${seconds} s each\n`)
printTable(
  'Work: | Data: | Durability: | Connections | Per second | To reach | × baseline' +
    ' | p50 ms | p99 ms | Server cores | Sender cores | CPU s per 1M',
  rows.map(toCells),
)
console.log(
  `\nmemory after ${whole(end.records)} records (to reach: 400 MB): ` +
    `${whole(end.residentBytes / 1e6)} MB at the end, ${whole(end.peakBytes / 1e6)} MB at most; ` +
    `${(end.diskBytes / end.records).toFixed(1)} bytes per record on disk`,
)
console.log(
  'baseline of one event per request: bare handler + JSON.parse; of many: JSON.parse alone',
)
const endMeasures = {
  'resident MB': [end.residentBytes / 1e6],
  'at most MB': [end.peakBytes / 1e6],
  'bytes on disk per record': [end.diskBytes / end.records],
}
writeResults(json, {
  bench: 'ingest',
  conditions: { count, seed, seconds },
  rows: [...rows.map(toResult), { work: 'all of the records', measures: endMeasures }],
})

function readDurabilities(text: string | undefined): Durability[] {
  const known: Durability[] = ['disk', 'written']
  const wanted = known.filter(durability => text === undefined || text === durability)
  if (wanted.length === 0) {
    throw new Error(`--durability must be disk or written, was "${text}"`)
  }
  return wanted
}

function singleRows(): Row[] {
  const data = `${Math.round(meanEventBytes)} B events`
  return connectionCounts.flatMap(connections => {
    const run = { connections, seconds }
    const common = { data, connections }
    const bare = (work: string, mode: 'read' | 'parse'): Row => ({
      ...common,
      work,
      durability: 'none',
      toReach: '',
      measure: () => runBare(mode, { ...run, ringPath: bareRingPath }),
      runs: [],
    })
    const baseline = bare('bare handler + JSON.parse', 'parse')
    const services = durabilities.map(
      (durability): Row => ({
        ...common,
        work: 'one event per request',
        durability,
        toReach: durability === 'disk' ? '25,000' : '40,000',
        baseline,
        measure: () =>
          runSingle(durability, run, async (ringPath, tokens) => {
            await writeRing(ringPath, seed, tokens)
          }),
        runs: [],
      }),
    )
    return [bare('bare handler', 'read'), baseline, ...services]
  })
}

function bulkRows(shapes: readonly BulkShape[]): Row[] {
  const data = `${whole(bulkCount)} records`
  const baseline: Row = {
    work: 'JSON.parse alone, one thread',
    data,
    durability: 'none',
    connections: 0,
    toReach: '',
    measure: async () => ({
      perSecond: measureJsonParse(makeRecords({ seed, count: bulkCount })),
    }),
    runs: [],
  }
  const services = shapes.map((shape): Row => {
    const bytes = shape.batches.reduce((sum, { body }) => sum + body.length, 0)
    const records = shape.batches.reduce((sum, batch) => sum + batch.records, 0)
    return {
      work: shape.title,
      data: `${whole(records)} records, ${whole(bytes / 1e6)} MB`,
      durability: 'disk',
      connections: shape.connections,
      toReach: '250,000',
      baseline,
      measure: () => runBulk('disk', shape, seed),
      runs: [],
    }
  })
  return [baseline, ...services]
}

function toCells(row: Row): string[] {
  const middle = (figure: keyof Run, show: (value: number) => string) => {
    const figures = row.runs.map(run => run[figure]).filter(value => value !== undefined)
    return figures.length === 0 ? '' : show(median(figures))
  }
  const rate = (ofRow: Row) => median(ofRow.runs.map(({ perSecond }) => perSecond))
  const twoDigits = (value: number) => value.toFixed(2)
  const costs = cpuSecondsPerMillion(row)
  return [
    row.work,
    row.data,
    row.durability,
    row.connections === 0 ? '' : String(row.connections),
    whole(rate(row)),
    row.toReach,
    row.baseline === undefined ? '' : twoDigits(rate(row) / rate(row.baseline)),
    middle('p50Ms', millis),
    middle('p99Ms', millis),
    middle('serverCores', twoDigits),
    middle('generatorCores', twoDigits),
    costs.length === 0 ? '' : median(costs).toFixed(1),
  ]
}

function toResult(row: Row): BenchRow {
  const { work, durability, connections, runs } = row
  const all = (figure: keyof Run) => runs.flatMap(run => run[figure] ?? [])
  const stored = durability === 'none' ? [] : [durability]
  const over = connections === 0 ? [] : [`${connections} connections`]
  return {
    work: [work, ...stored, ...over].join(', '),
    measures: {
      'records/s': all('perSecond'),
      'p50 ms': all('p50Ms'),
      'p99 ms': all('p99Ms'),
      'CPU s per 1M': cpuSecondsPerMillion(row),
    },
  }
}

/** What a million records cost the server in each round, in seconds of one core. */
function cpuSecondsPerMillion({ runs }: Row): number[] {
  return runs.flatMap(({ serverCores, perSecond }) =>
    serverCores === undefined ? [] : [(serverCores / perSecond) * 1e6],
  )
}
