/**
 * The queries of `query.ts` asked of a service on its own disk and of one on ClickHouse, in the same run:
 * `node bench/clickhouse-store.ts [--count 2000000] [--seed 1] [--rounds 2] [--rest 1] [--paced-runs 1]
 * [--warm-rounds 1] [--fresh] [--json FILE] [--quick]`. Phases are those of `query.ts`, and each answer is
 * the oracle's.
 *
 * The engine is the library of `test/clickhouse/install.sh` behind the HTTP server of the tests, on the same
 * cores. Records are sent to the service as to any, with a question each second meanwhile; how long that
 * took until ClickHouse had all of them, and the memory of the service, are printed. It is loaded anew in
 * each run. `--warm-rounds 0` leaves that phase out; of more than 5,000,000 records the percentile is not asked for,
 * for which all of them are fetched.
 */
import { existsSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type EngineProcess, startEngine } from '../test/clickhouse/engine-process.ts'
import { engineMissing } from '../test/clickhouse/installed-engine.ts'
import { readCpuSeconds, readMemory } from './child.ts'
import { describeStore } from './disk-size.ts'
import { prepare } from './measure.ts'
import { readOptions } from './options.ts'
import { dataRange, loadAndSettle, openData } from './query-data.ts'
import { benchQueries } from './query-list.ts'
import { type Phase, QueryPhases, subjectOf } from './query-phases.ts'
import { makeRecords } from './records.ts'
import { writeResults } from './results.ts'
import { type BenchService, benchDataDir, startService } from './service.ts'
import { settlingFlags } from './settle.ts'
import { machineLine, median, millis, printTable, whole } from './table.ts'

if (engineMissing !== undefined) throw new Error(engineMissing)
const options = readOptions({
  integers: {
    count: { usual: 2_000_000, quick: 50_000 },
    seed: 1,
    rounds: { usual: 2, quick: 1 },
    rest: { usual: 1, quick: 0 },
    'paced-runs': 1,
    'warm-rounds': 1,
  },
  switches: ['fresh'],
})
const { count, seed, json, quick: isQuick } = options
const times = {
  rounds: options.rounds,
  startRestMs: isQuick ? 0 : 5_000,
  restMs: options.rest * 1_000,
  pacedRuns: options['paced-runs'],
  warmRounds: options['warm-rounds'],
}
const asked = (['first', 'paced', 'warm'] as const satisfies Phase[]).filter(
  phase => phase !== 'warm' || times.warmRounds > 0,
)
/** Of a service that answers while it takes records. */
const askEachMs = 1_000

const data = await openData({ seed, count, isFresh: options.fresh, keepsMessages: false, isQuick })
const range = dataRange(count)
/** Of what fetches all records: the engine's library hands out an answer as one piece of memory. */
const fetchedMax = 5_000_000
/** Of a histogram; longer times than that have none by minutes. */
const bucketsMax = 10_000
const queries = benchQueries
  .map(query => prepare(query, data.oracle, range))
  .filter(({ range: { startTime, endTime }, bucketMs = Number.POSITIVE_INFINITY, isFigure }) => {
    if (isFigure === true && count > fetchedMax) return false
    return (endTime - startTime) / bucketMs < bucketsMax
  })

const local = new QueryPhases(
  subjectOf(data.service),
  async () => subjectOf(await data.restart()),
  queries,
  times,
)
const localLine = describeStore(data.figures, data.service.dataDir)
await ask('local', local)

const name = `clickhouse-store-${count}`
const directory = `${benchDataDir}${name}`
const engineDir = `${directory}-engine`
for (const old of [directory, engineDir]) if (existsSync(old)) rmSync(old, { recursive: true })
const engine = await startEngine(engineDir)
const loaded = await load(engine)
const there = new QueryPhases(
  subjectOf(loaded.service, engineDir),
  async () => subjectOf(await start(engine, 'kept'), engineDir),
  queries,
  times,
)
await ask('ClickHouse', there)
const disk = await engine.ask(
  "SELECT sum(bytes_on_disk) / sum(rows) FROM system.parts WHERE active AND table = 'otel_logs'",
)
await engine.kill()

console.log(`${machineLine()}\n`)
printTable(
  [
    'Work:',
    'Records',
    ...['local', 'ClickHouse'].flatMap(on => asked.map(phase => `${on} ${phase} ms`)),
  ],
  queries.map(({ work, expected }, index) => [
    work,
    whole(expected.count),
    ...[local, there].flatMap(run =>
      asked.map(phase => millis(median(run.timesOf(index)[phase]!))),
    ),
  ]),
)
console.log(`\nevery answer equals the oracle's, on both
local: ${localLine}; ${describeMemory(local)}
ClickHouse: ${Number(disk).toFixed(1)} bytes per record there; ${describeMemory(there)}
${loaded.line}`)
writeResults(json, {
  bench: 'clickhouse-store',
  conditions: { messages: 'made', count, seed },
  rows: [local, there].flatMap((run, on) =>
    queries.map(({ work }, index) => ({
      work: `${work}, ${['local', 'ClickHouse'][on]}`,
      measures: Object.fromEntries(asked.map(phase => [`${phase} ms`, run.timesOf(index)[phase]!])),
    })),
  ),
  details: { local: localLine, sent: loaded.line },
})

async function ask(name: string, run: QueryPhases): Promise<void> {
  for (const phase of asked) {
    process.stderr.write(`${name}: ${phase}\n`)
    await run.run(phase)
  }
  await run.stop()
}

function start(engine: EngineProcess, data: 'fresh' | 'kept'): Promise<BenchService> {
  const store = ['--store', 'clickhouse', '--clickhouse-url', `${engine.url}/default`]
  const flags = [...settlingFlags(isQuick), '--query-timeout', '10m', ...store]
  return startService({ name, durability: 'disk', data, flags })
}

/** Sends all records, and asks meanwhile, until ClickHouse has them. */
async function load(engine: EngineProcess): Promise<{ service: BenchService; line: string }> {
  const service = await start(engine, 'fresh')
  const tokens = await service.makeTokens()
  const [ours, theirs] = [readCpuSeconds(service.pid), readCpuSeconds(engine.pid)]
  const state = { isLoading: true, answers: 0 }
  const asking = (async () => {
    for (; state.isLoading; state.answers++) {
      await service.query('count by (log_level) (logs)')
      await pause(askEachMs)
    }
  })()
  const { origin } = await loadAndSettle(service, tokens, makeRecords({ seed, count }))
  state.isLoading = false
  await asking
  const used = (pid: number, before: number) =>
    `${(((readCpuSeconds(pid) - before) * 1e6) / count).toFixed(1)} µs`
  const line =
    `sent to the service on ClickHouse: ${origin}; ${state.answers} questions answered meanwhile; ` +
    `processor a record: ${used(service.pid, ours)} the service, ${used(engine.pid, theirs)} the engine; ` +
    `memory of the service at most ${megabytes(readMemory(service.pid).peakBytes)}, ` +
    `of the engine ${megabytes(readMemory(engine.pid).peakBytes)}`
  return { service, line }
}

function describeMemory({ memory }: QueryPhases): string {
  const each = asked.map(phase => {
    const { residentBytes, peakBytes } = memory[phase]!
    return `after ${phase} ${megabytes(residentBytes)} (${megabytes(peakBytes)} at most)`
  })
  return `memory of the service: ${each.join(', ')}`
}

function megabytes(bytes: number): string {
  return `${whole(bytes / 1e6)} MB`
}
