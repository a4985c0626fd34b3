/**
 * How fast queries are answered: `node bench/query.ts [--count 2000000] [--seed 1] [--from FILE…]
 * [--phases first,paced,warm,cold] [--no-cold] [--rounds 3] [--start-rest 5] [--rest 5] [--paced-runs 2]
 * [--warm-rounds 3] [--clickhouse DIR] [--json FILE] [--fresh] [--reuse] [--quick]`.
 *
 * Times are whole HTTP requests on loopback, one at a time, with all records in segments.
 *
 * - First: each question once, all in order, on a service that was started `--start-rest` seconds ago (0:
 *   this moment, so that it is still compiling itself), its files in the page cache; the median of
 *   `--rounds` restarts.
 * - Paced: after `--rest` seconds without any request; the median of `--paced-runs`.
 * - Warm: the 15th time in a row; the median of `--warm-rounds`.
 * - Cold: once on a service just started, with the page cache dropped where that is allowed.
 *
 * An answer without a question stands first: what the machine, the client and HTTP take by themselves, of which
 * most after a rest is code that is in no cache of the processor.
 *
 * Every answer is compared with the oracle's; a wrong one ends the benchmark. The baseline is
 * `Buffer.indexOf` over all messages for the query's own text, or for a text that is nowhere: one pass
 * over everything, already in memory, on one core. Of more than 2,000,000 messages it searches the first
 * 2,000,000, and the time is scaled.
 *
 * With `--from` the messages are lines of real logs, with other ids and times (`messages.ts`), and the
 * questions are about these. `--json` writes all single times (`results.ts`). `--reuse` takes data of
 * an earlier run when the records are the same, whatever code wrote them: for comparing versions.
 * `--clickhouse` then asks a peer the same, see `clickhouse.ts`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { readMemory } from './child.ts'
import { openClickHouse } from './clickhouse.ts'
import { findClickHouse } from './clickhouse-package.ts'
import { describeStore } from './disk-size.ts'
import { pathOfNothing, prepare } from './measure.ts'
import { readOptions } from './options.ts'
import { timeIndexOf } from './oracle.ts'
import { dataRange, openData } from './query-data.ts'
import { benchQueries, lineQueries } from './query-list.ts'
import { asksInARow, type Phase, phases, QueryPhases, subjectOf } from './query-phases.ts'
import { type BenchRow, writeResults } from './results.ts'
import { machineLine, median, millis, printTable, whole } from './table.ts'

const {
  quick: isQuick,
  count,
  seed,
  files,
  ...values
} = readOptions({
  integers: {
    count: { usual: 2_000_000, quick: 100_000 },
    seed: 1,
    rounds: { usual: 3, quick: 1 },
    'start-rest': { usual: 5, quick: 0 },
    rest: { usual: 5, quick: 0 },
    'paced-runs': { usual: 2, quick: 1 },
    'warm-rounds': { usual: 3, quick: 1 },
  },
  texts: ['phases', 'clickhouse'],
  switches: ['no-cold', 'fresh', 'reuse'],
  takesPositionals: true,
})
const times = {
  rounds: values.rounds,
  startRestMs: values['start-rest'] * 1000,
  restMs: values.rest * 1000,
  pacedRuns: values['paced-runs'],
  warmRounds: values['warm-rounds'],
}
const wanted = phasesOption(values.phases ?? phases.join(',')).filter(
  phase => phase !== 'cold' || !(values['no-cold'] || isQuick),
)

// A mistake is told now, not after all of ours.
const clickHouseDir = values.clickhouse && findClickHouse(values.clickhouse)

/** What all other times have in them, too. */
const workOfNothing = `an answer without a question (\`${pathOfNothing}\`)`

const data = await openData({
  seed,
  count,
  files,
  isFresh: values.fresh,
  isReused: values.reuse,
  keepsMessages: true,
  isQuick,
})
const { oracle, service, figures, origin } = data
process.stderr.write(`${origin}\n`)
const storeLine = describeStore(figures, service.dataDir)
const memoryBefore = readMemory(service.pid)

const range = dataRange(count)
const list = files.length === 0 ? benchQueries : lineQueries
const queries = list.map(query => prepare(query, oracle, range))
const baselines = measureBaselines()
await pause(100) // The service hung up meanwhile: the client must hear of it before it asks.

const ours = new QueryPhases(
  subjectOf(service),
  async () => subjectOf(await data.restart()),
  queries,
  times,
)
await runAll(ours)
printResults()
if (clickHouseDir !== undefined) await askClickHouse(clickHouseDir)

async function runAll(run: QueryPhases): Promise<void> {
  for (const phase of wanted) {
    process.stderr.write(`${phase}\n`)
    await run.run(phase)
    if (run === ours) writeJson() // Each time: a phase that fails must not take the others with it.
  }
  await run.stop()
}

async function askClickHouse(packageDir: string): Promise<void> {
  process.stderr.write('ClickHouse\n')
  const { subject, origin, diskBytes, restart } = await openClickHouse(packageDir, data)
  const theirs = new QueryPhases(subject, restart, queries, times)
  await runAll(theirs)
  const disk = `${(diskBytes / count).toFixed(1)} bytes per record`
  console.log(`\nClickHouse as a library, without HTTP; ${disk}; ${origin}\n`)
  printTimes(theirs)
  console.log(`\n${describeMemory(theirs)}`)
  writeJson({ origin, rows: makeRows(theirs), asked: describeAsked(theirs) })
}

/** In the order in which they run. Throws when a name is none of them. */
function phasesOption(text: string): Phase[] {
  const named = text.split(',')
  const unknown = named.find(name => !phases.some(phase => phase === name))
  if (unknown !== undefined) throw new Error(`--phases has "${unknown}", which is no phase`)
  return phases.filter(phase => named.includes(phase))
}

/** Milliseconds for each text that is searched for, scaled to all records. */
function measureBaselines(): Map<string, number> {
  const texts = new Set(queries.map(({ scanFor }) => scanFor))
  const measure = (text: string) =>
    median(Array.from({ length: 5 }, () => timeIndexOf(oracle.messages, text)))
  return new Map([...texts].map(text => [text, measure(text) * oracle.messagesScale]))
}

/** What was asked, by `work`, and all asks of the warm phase, of which the last of each round counts. */
function describeAsked(run: QueryPhases) {
  return queries.map(({ work, query, expected }, index) => ({
    work,
    query,
    records: expected.count,
    warmAsks: run.warmAsksOf(index),
  }))
}

function makeRows(run: QueryPhases): BenchRow[] {
  const questions = queries.map(({ work }, index) => {
    const times = run.timesOf(index)
    const measures = wanted.map(phase => [`${phase} ms`, times[phase] ?? []] as const)
    return { work, measures: Object.fromEntries(measures) }
  })
  const nothing = wanted.map(phase => [`${phase} ms`, run.timesOfNothing[phase] ?? []] as const)
  const floor = { work: workOfNothing, measures: Object.fromEntries(nothing) }
  const memory = Object.entries(run.memory).map(([phase, { residentBytes, peakBytes }]) => {
    const measures = { 'resident MB': [residentBytes / 1e6], 'at most MB': [peakBytes / 1e6] }
    return { work: `memory after ${phase}`, measures }
  })
  return [floor, ...questions, ...memory]
}

/** `clickHouse`: what the peer, which was asked the same, has to show. */
function writeJson(clickHouse?: object): void {
  const baseline = { work: 'Buffer.indexOf', measures: { 'baseline ms': [...baselines.values()] } }
  writeResults(values.json, {
    bench: 'query',
    conditions: { messages: files.length === 0 ? 'made' : 'lines', count, seed },
    rows: [...makeRows(ours), baseline],
    details: { store: storeLine, origin, asked: describeAsked(ours), clickHouse },
  })
}

function printResults(): void {
  const meanings: Readonly<Record<Phase, string>> = {
    first: `first: once, ${times.startRestMs / 1000} s after a restart, page cache warm, median of ${times.rounds}`,
    paced: `paced: after ${times.restMs / 1000} s of rest, median of ${times.pacedRuns}`,
    warm: `warm: the ${asksInARow}th in a row, median of ${times.warmRounds}`,
    cold: `cold: after a restart${ours.isCacheDropped ? ' and with the page cache dropped' : ', page cache not dropped (needs root)'}`,
  }
  console.log(`${machineLine()}; ${wanted.map(phase => meanings[phase]).join('; ')}\n`)
  printTimes(ours)
  const scaled = oracle.messagesScale > 1 ? '; indexOf over 2,000,000 messages, scaled' : ''
  console.log(
    `\n${storeLine}; ${origin}\n` +
      `every answer equals the oracle's${scaled}\n` +
      `${describeMemory(ours)}; ${megabytes(memoryBefore.residentBytes)} before`,
  )
}

function printTimes(run: QueryPhases): void {
  printTable(
    ['Work:', 'Records', ...wanted.map(phase => `${phase} ms`), 'indexOf ms'],
    [
      [workOfNothing, '', ...wanted.map(phase => millis(median(run.timesOfNothing[phase]!))), ''],
      ...queries.map(({ work, expected, scanFor }, index) => [
        work,
        whole(expected.count),
        ...wanted.map(phase => millis(median(run.timesOf(index)[phase]!))),
        millis(baselines.get(scanFor)!),
      ]),
    ],
  )
}

function describeMemory({ memory }: QueryPhases): string {
  const afterEach = wanted.map(phase => {
    const { residentBytes, peakBytes } = memory[phase]!
    return `after ${phase} ${megabytes(residentBytes)} (${megabytes(peakBytes)} at most)`
  })
  return `memory: ${afterEach.join(', ')}`
}

function megabytes(bytes: number): string {
  return `${whole(bytes / 1e6)} MB`
}
