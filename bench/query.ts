/**
 * How fast queries are answered: `node bench/query.ts [--count 2000000] [--seed 1] [--runs 7]
 * [--fresh] [--no-cold] [--quick]`.
 *
 * Times are whole HTTP requests on loopback, one at a time, with all records in segments. Warm: all
 * queries were asked in turn for ten seconds, and the median of all runs after those that do not count.
 * Cold: one run on a service just started, with the page cache dropped where that is allowed. Every
 * answer is compared with the oracle's; a wrong one ends the benchmark. The baseline is
 * `Buffer.indexOf` over all messages for the query's own text, or for a text that is nowhere: one pass
 * over everything, already in memory, on one core.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readMemory } from './child.ts'
import { describeStore } from './disk-size.ts'
import { type PreparedQuery, prepare, timeQuery } from './measure.ts'
import { needles } from './needles.ts'
import { integerOption } from './options.ts'
import { timeIndexOf } from './oracle.ts'
import { dropPageCache } from './page-cache.ts'
import { dataRange, openData, restart } from './query-data.ts'
import { benchQueries } from './query-list.ts'
import type { BenchService } from './service.ts'
import { formatTable, left, machineLine, median, millis, right, whole } from './table.ts'
import { askInTurn, describeWarm, measureWarm } from './warm.ts'

interface Measured {
  readonly query: PreparedQuery
  readonly warmMs: number
  readonly scanMs: number
  coldMs?: number
}

const { values } = parseArgs({
  options: {
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '7' },
    fresh: { type: 'boolean', default: false },
    'no-cold': { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const count = integerOption('count', values.count ?? (values.quick ? '100000' : '2000000'))
const seed = integerOption('seed', values.seed)
const runs = Math.max(5, integerOption('runs', values.runs))
const isColdWanted = !values['no-cold'] && !values.quick

/** Without queries, before memory is read once more. */
const restMs = values.quick ? 1_000 : 30_000
/** Before the first time that counts. */
const usedMs = values.quick ? 1_000 : 10_000

const isQuick = values.quick
const data = await openData({ seed, count, isFresh: values.fresh, keepsMessages: true, isQuick })
const { oracle, figures, origin } = data
let service = data.service
const storeLine = describeStore(figures, service.dataDir)
const memoryBefore = readMemory(service.pid)

const queries = benchQueries.map(benchQuery => prepare(benchQuery, oracle, dataRange))
// As on a service in use: the first ones must not pay for what all have in common.
process.stderr.write(`all queries in turn for ${usedMs / 1000} s\n`)
const asks = queries.map(query => () => timeQuery(service, query))
await askInTurn(asks, usedMs)

const measured: Measured[] = []
for (const query of queries) {
  process.stderr.write(`warm: ${query.work}\n`)
  const warmMs = await measureWarm(() => timeQuery(service, query), runs)
  measured.push({ query, warmMs, scanMs: measureScan(needles[query.scanFor]) })
}
const emptyRoundTripMs = await measureEmptyRoundTrip(service)
const memory = readMemory(service.pid)
process.stderr.write(`at rest for ${restMs / 1000} s\n`)
await pause(restMs)
const memoryAtRest = readMemory(service.pid)

let isCacheDropped = true
if (isColdWanted) {
  for (const row of measured) {
    process.stderr.write(`cold: ${row.query.work}\n`)
    await service.stop()
    isCacheDropped = dropPageCache() && isCacheDropped
    service = await restart(isQuick)
    row.coldMs = await timeQuery(service, row.query)
  }
}
await service.stop()
printResults()

function measureScan(text: string): number {
  return median(Array.from({ length: 5 }, () => timeIndexOf(oracle.messages, text)))
}

async function measureEmptyRoundTrip(on: BenchService): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < 200; run++) {
    const startedAt = performance.now()
    await on.client.get('/health')
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

function printResults(): void {
  const cold = !isColdWanted
    ? 'no cold runs'
    : `cold: one run after a restart${isCacheDropped ? ' and with the page cache dropped' : ', page cache not dropped (needs root)'}`
  const used = `all queries in turn for ${usedMs / 1000} s first`
  console.log(`${machineLine()}; ${used}; ${describeWarm(runs)}; ${cold}\n`)
  console.log(
    formatTable(
      [
        left('Work'),
        right('Records'),
        right('Warm ms'),
        right('To reach ms'),
        right('Cold ms'),
        right('indexOf ms'),
        right('× indexOf'),
      ],
      measured.map(({ query, warmMs, coldMs, scanMs }) => [
        query.work,
        whole(query.expected.count),
        millis(warmMs),
        String(query.toReachMs),
        coldMs === undefined ? '' : millis(coldMs),
        millis(scanMs),
        (warmMs / scanMs).toFixed(2),
      ]),
    ),
  )
  const megabytes = (bytes: number) => `${whole(bytes / 1e6)} MB`
  console.log(
    `\n${storeLine}; ${origin}\n` +
      `every answer equals the oracle's; an empty round trip (GET /health) takes ` +
      `${millis(emptyRoundTripMs)} ms\n` +
      `memory of the service (to reach: 400 MB at the end): ` +
      `${megabytes(memoryBefore.residentBytes)} before the queries, ` +
      `${megabytes(memory.residentBytes)} right after the warm ones, ` +
      `${megabytes(memoryAtRest.residentBytes)} after ${restMs / 1000} s at rest, ` +
      `${megabytes(memory.peakBytes)} at most since its start`,
  )
}
