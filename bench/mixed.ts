/**
 * How do senders and queries bear one another, and does the sealer keep up? `node bench/mixed.ts
 * [--count 2000000] [--bulk-count 4000000] [--seconds 20] [--rate EVENTS_PER_SECOND] [--seed 1]
 * [--json FILE] [--quick]`.
 *
 * First: single durable events at half of the peak rate (or at `--rate`), sent on a schedule and timed
 * from when they were due (`paced.ts`), while queries run one after the other on a loaded store;
 * against the same without the other. Then: bulk ingest at full rate into a fresh store. The quick
 * form has small journal files, so that some are sealed within its few seconds.
 */
import { mkdirSync } from 'node:fs'
import { type BulkSealResult, runBulkSeal } from './mixed-bulk.ts'
import { type MixedResult, runMixed } from './mixed-single.ts'
import { integerOption, readOptions } from './options.ts'
import type { PacedResult } from './paced-load.ts'
import { type BenchRow, writeResults } from './results.ts'
import type { Sample } from './sampler.ts'
import { benchDataDir } from './service.ts'
import { settlingFlags } from './settle.ts'
import { machineLine, millis, percentile, printTable, whole } from './table.ts'

const {
  quick,
  json,
  seed,
  count,
  seconds,
  'bulk-count': bulkCount,
  ...given
} = readOptions({
  integers: {
    count: { usual: 2_000_000, quick: 50_000 },
    'bulk-count': { usual: 4_000_000, quick: 100_000 },
    seconds: { usual: 20, quick: 1 },
    seed: 1,
  },
  texts: ['rate'],
})
const perSecond = given.rate === undefined ? undefined : integerOption('rate', given.rate)
const flags = [...settlingFlags(quick), ...(quick ? ['--journal-file-bytes', '4MiB'] : [])]
const connections = 64
const bulkRowsMax = 20

mkdirSync(benchDataDir, { recursive: true })
const mixed = await runMixed({ seed, count, connections, seconds, perSecond, flags })
process.stderr.write('bulk at full rate\n')
const bulk = await runBulkSeal({ seed, count: bulkCount, sampleMs: quick ? 250 : 1_000, flags })

console.log(`${machineLine()}; ${whole(count)} records before; each part ${seconds} s\n`)
printEvents(mixed)
printQueries(mixed)
printSealing(mixed)
printBulk(bulk)
writeResults(json, {
  bench: 'mixed',
  conditions: { count, bulkCount, seed, seconds, perSecond: perSecond ?? 'half of the peak' },
  rows: [...eventRows(mixed), ...queryRows(mixed), bulkRow(bulk)],
})

function printEvents({ events, peakPerSecond, perSecond: asked }: MixedResult): void {
  const row = (work: string, result: PacedResult) => [
    work,
    whole(result.acknowledged / result.seconds),
    millis(result.p50Ms),
    millis(result.p99Ms),
    millis(result.mostMs),
    millis(result.delayP50Ms),
    millis(result.delayP99Ms),
    result.serverCores.toFixed(2),
    result.generatorCores.toFixed(2),
  ]
  printTable(
    'One event per request, on disk: | Per second | p50 ms | p99 ms | Most ms | Late p50' +
      ' | Late p99 | Server cores | Sender cores',
    [row('alone', events.alone), row('with queries', events.mixed)],
  )
  console.log(
    `\n${whole(asked)} per second were due (the peak is ${whole(peakPerSecond)}), on ${connections} ` +
      'connections; times are from when an event was due to its acknowledgement; late: how much ' +
      'of it the event waited to be sent\n',
  )
}

function printQueries({ queries: { alone, mixed } }: MixedResult): void {
  const row = (work: string, before: readonly number[], during: readonly number[]) => [
    work,
    millis(percentile(before, 50)),
    millis(percentile(before, 99)),
    millis(percentile(during, 50)),
    millis(percentile(during, 99)),
    (percentile(during, 50) / percentile(before, 50)).toFixed(1),
    whole(during.length),
  ]
  printTable('Query: | Alone p50 ms | p99 | With events p50 ms | p99 | × p50 | Runs', [
    ...[...alone].map(([work, times]) => row(work, times, mixed.get(work)!)),
    row('all of them', [...alone.values()].flat(), [...mixed.values()].flat()),
  ])
  console.log(
    '\nthe p99 of fewer than 100 runs is the slowest of them; no count ever fell; all acknowledged events are counted in the end\n',
  )
}

function printSealing({ samples }: MixedResult): void {
  const rates = ratesBetween(samples[0]!, samples.at(-1)!)
  const backlog = Math.max(...samples.map(({ journalRecords }) => journalRecords))
  const files = Math.max(...samples.map(({ unsealedFiles }) => unsealedFiles))
  const keepsUp =
    rates.sealedWhileSealing === undefined
      ? 'nothing was sealed: the journal file was not full'
      : `while it seals, the sealer takes ${whole(rates.sealedWhileSealing)} per second, ` +
        `${(rates.sealedWhileSealing / rates.accepted).toFixed(1)} × the events that come in`
  console.log(
    `sealing meanwhile: ${whole(rates.accepted)} records per second came in, ` +
      `${whole(rates.sealed)} were sealed; ${keepsUp} (compaction is not in this time); ` +
      `at most ${whole(backlog)} records were not sealed, and ${files} closed files waited\n`,
  )
}

function printBulk({ records, sentSeconds, restSeconds, samples }: BulkSealResult): void {
  const step = Math.ceil((samples.length - 1) / bulkRowsMax)
  const shown = samples.filter((_, index) => (samples.length - 1 - index) % step === 0)
  const rows = shown.map((sample, index) => {
    const { accepted, sealed } = ratesBetween(shown[index - 1] ?? samples[0]!, sample)
    return [
      sample.seconds.toFixed(1),
      whole(accepted),
      whole(sealed),
      whole(sample.journalRecords),
      String(sample.unsealedFiles),
      String(sample.compactions),
      whole(sample.residentBytes / 1e6),
    ]
  })
  printTable(
    'Bulk ingest, s | Came in per second | Sealed per second | Not sealed yet' +
      ' | Files waiting | Compactions | Memory MB',
    rows,
  )
  console.log(
    `\n${whole(records)} records were acknowledged in ${sentSeconds.toFixed(1)} s ` +
      `(${whole(records / sentSeconds)} per second); ${restSeconds.toFixed(1)} s later all was ` +
      'sealed and compacted (the last journal file had to be closed by its age), and all records ' +
      'are in segments',
  )
}

function eventRows({ events, peakPerSecond }: MixedResult): BenchRow[] {
  const row = (work: string, { acknowledged, seconds, p50Ms, p99Ms }: PacedResult) => ({
    work,
    measures: { 'events/s': [acknowledged / seconds], 'p50 ms': [p50Ms], 'p99 ms': [p99Ms] },
  })
  return [
    { work: 'events at full rate', measures: { 'events/s': [peakPerSecond] } },
    row('events alone', events.alone),
    row('events with queries', events.mixed),
  ]
}

function queryRows({ queries: { alone, mixed } }: MixedResult): BenchRow[] {
  const row = (work: string, times: readonly number[]) => ({
    work,
    measures: { 'p50 ms': [percentile(times, 50)], 'p99 ms': [percentile(times, 99)] },
  })
  return [
    ...[...alone].map(([work, times]) => row(`${work}, alone`, times)),
    ...[...mixed].map(([work, times]) => row(`${work}, with events`, times)),
  ]
}

function bulkRow({ records, sentSeconds, restSeconds, samples }: BulkSealResult): BenchRow {
  const rates = ratesBetween(samples[0]!, samples.at(-1)!)
  const memory = samples.map(({ residentBytes }) => residentBytes / 1e6)
  return {
    work: 'bulk at full rate',
    measures: {
      'records/s': [records / sentSeconds],
      'sealed/s of sealing': [rates.sealedWhileSealing ?? []].flat(),
      'until all was sealed s': [restSeconds],
      'at most MB': [Math.max(...memory)],
    },
  }
}

/** Records per second between two samples; `sealedWhileSealing`: per second of work of the sealer. */
function ratesBetween(from: Sample, to: Sample) {
  const seconds = Math.max(to.seconds - from.seconds, Number.EPSILON)
  const sealed = to.sealedRecords - from.sealedRecords
  const sealSeconds = to.sealSeconds - from.sealSeconds
  return {
    accepted: (to.acceptedRecords - from.acceptedRecords) / seconds,
    sealed: sealed / seconds,
    sealedWhileSealing: sealSeconds === 0 ? undefined : sealed / sealSeconds,
  }
}
