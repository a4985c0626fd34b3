/**
 * Does anything grow that should not? `node bench/soak.ts [--minutes 60] [--rate EVENTS_PER_SECOND]
 * [--retention-bytes 500MiB] [--connections 64] [--seed 1] [--json FILE] [--quick]`.
 *
 * Single durable events at 70 % of the peak rate (or at `--rate`), sent on a schedule, while a query runs
 * each second and sealing, compaction and retention do their work. Memory, open descriptors and
 * files are looked at all the time: once as much is stored as retention lets stay, they must be flat.
 * The last quarter of the time is compared with the second one; it ends with 1 when one of them grew.
 */
import { mkdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { runLoad, writeRing } from './load.ts'
import { integerOption, readOptions } from './options.ts'
import { runPaced } from './paced-load.ts'
import { writeResults } from './results.ts'
import { type Sample, startSampler } from './sampler.ts'
import { allTimes, type BenchService, benchDataDir, startService } from './service.ts'
import { machineLine, median, millis, percentile, printTable, whole } from './table.ts'

const { quick, json, minutes, connections, seed, ...given } = readOptions({
  integers: { minutes: { usual: 60, quick: 1 }, connections: 64, seed: 1 },
  texts: ['rate', 'retention-bytes'],
})
const retentionBytes = given['retention-bytes'] ?? (quick ? '8MiB' : '500MiB')
const seconds = minutes * 60
const sampleMs = Math.max(1_000, seconds * 5)
const rowsShown = 12
/** Different events. A thousand, over and over, take half a byte each on disk: retention, which is by
 *  bytes, would never come, and memory would grow with the records all the time. */
const ringEvents = 100_000
/** Of the peak, so that the service has time left for what it does besides. */
const shareOfPeak = 0.7
/** Between two queries: without it they alone would take one of two cores. */
const queryPauseMs = 1_000
/** What may grow by so much is flat: memory comes and goes with the collector's and sealer's turns. */
const growthMax = { residentBytes: 1.15, descriptors: 1.2, files: 1.25 } as const

const queries = [
  'count by (service.name, log_level) (logs)',
  'count(logs |= "timeout")',
  'logs{log_level="error"}',
  'count by (host) (logs)',
]

mkdirSync(benchDataDir, { recursive: true })
const journal = quick ? ['--journal-file-age', '2s', '--journal-file-bytes', '1MiB'] : []
const flags = ['--retention-bytes', retentionBytes, ...journal]
const service = await startService({ name: 'soak', durability: 'disk', data: 'fresh', flags })
const ringPath = `${benchDataDir}ring-soak.tsv`
await writeRing(ringPath, seed, await service.makeTokens(), { events: quick ? 1_000 : ringEvents })
const events = { server: service, ringPath, connections }
const warmUp = await runLoad({ ...events, seconds: 1 })
const peak = await runLoad({ ...events, seconds: quick ? 1 : 5 })
const rate = integerOption('rate', given.rate ?? String(Math.floor(peak.perSecond * shareOfPeak)))

process.stderr.write(`${whole(rate)} events per second for ${minutes} minutes\n`)
const sampler = await startSampler(service, sampleMs)
const allSent = new AbortController()
const [sent, queryTimes] = await Promise.all([
  runPaced({ ...events, perSecond: rate, seconds }).finally(() => allSent.abort()),
  askUntil(allSent.signal, service),
])
const samples = await sampler.stop()
const { acceptedRecords } = samples.at(-1)!
const sentInAll = warmUp.requests + peak.requests + sent.acknowledged
// wrk cuts off one request a connection when it stops, which may be stored all the same.
if (acceptedRecords < sentInAll || acceptedRecords > sentInAll + 2 * connections) {
  throw new Error(`${sentInAll} events were acknowledged, but ${acceptedRecords} were accepted`)
}
await service.stop()
printSamples(samples)
console.log(
  `\n${whole(sent.acknowledged)} events were acknowledged in ${whole(sent.seconds)} s, p50 ` +
    `${millis(sent.p50Ms)}, p99 ${millis(sent.p99Ms)}, at most ${millis(sent.mostMs)} ms after they were ` +
    `due; ${whole(queryTimes.length)} queries, p50 ${millis(percentile(queryTimes, 50))}, p99 ` +
    `${millis(percentile(queryTimes, 99))} ms\n`,
)
process.exitCode = isFlat(samples) ? 0 : 1
const late = lastQuarter(samples)
writeResults(json, {
  bench: 'soak',
  conditions: {
    minutes,
    rate: given.rate ?? `${shareOfPeak} of the peak`,
    retentionBytes,
    connections,
    seed,
  },
  rows: [
    {
      work: 'events',
      measures: {
        'events/s': [sent.acknowledged / sent.seconds],
        'p50 ms': [sent.p50Ms],
        'p99 ms': [sent.p99Ms],
      },
    },
    {
      work: 'queries',
      measures: {
        'p50 ms': [percentile(queryTimes, 50)],
        'p99 ms': [percentile(queryTimes, 99)],
      },
    },
    {
      work: 'last quarter',
      measures: {
        'memory MB': [median(late.map(({ residentBytes }) => residentBytes / 1e6))],
        descriptors: [median(late.map(({ descriptors }) => descriptors))],
        files: [median(late.map(({ files }) => files))],
      },
    },
  ],
})

/** Asks all queries in turn until the signal comes; gives the times of all, in milliseconds. */
async function askUntil(signal: AbortSignal, on: BenchService): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; !signal.aborted; i++) {
    const startedAt = performance.now()
    await on.query(queries[i % queries.length]!, { ...allTimes, limit: 10 })
    times.push(performance.now() - startedAt)
    await delay(queryPauseMs, undefined, { signal }).catch(() => {})
  }
  return times
}

function printSamples(all: readonly Sample[]): void {
  const step = Math.ceil((all.length - 1) / rowsShown)
  const shown = all.filter((_, index) => (all.length - 1 - index) % step === 0)
  console.log(`${machineLine()}; single durable events, ${connections} connections\n`)
  printTable(
    'Minutes | Accepted | Not sealed yet | In segments | Segments | Compactions' +
      ' | Memory MB | Descriptors | Files',
    shown.map(sample => [
      (sample.seconds / 60).toFixed(1),
      whole(sample.acceptedRecords),
      whole(sample.journalRecords),
      whole(sample.segmentRecords),
      String(sample.segmentFiles),
      String(sample.compactions),
      whole(sample.residentBytes / 1e6),
      String(sample.descriptors),
      String(sample.files),
    ]),
  )
}

function lastQuarter(all: readonly Sample[]): readonly Sample[] {
  return all.slice(-Math.floor(all.length / 4))
}

/** Prints how the last quarter compares with the second one, and says whether all of it is flat. */
function isFlat(all: readonly Sample[]): boolean {
  const quarter = Math.floor(all.length / 4)
  const kinds = Object.keys(growthMax) as (keyof typeof growthMax)[]
  const rows = kinds.map(kind => {
    const before = median(all.slice(quarter, 2 * quarter).map(sample => sample[kind]))
    const after = median(lastQuarter(all).map(sample => sample[kind]))
    return {
      kind,
      before,
      after,
      growth: after / before,
      isFlat: after / before <= growthMax[kind],
    }
  })
  printTable(
    'Median: | 2nd quarter | Last quarter | Growth | :',
    rows.map(row => [
      row.kind,
      whole(row.before),
      whole(row.after),
      row.growth.toFixed(2),
      row.isFlat ? 'flat' : `grows: more than ${growthMax[row.kind]}`,
    ]),
  )
  return rows.every(row => row.isFlat)
}
