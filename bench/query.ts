/**
 * How fast queries are answered: `node bench/query.ts [--count 2000000] [--seed 1] [--runs 7]
 * [--fresh] [--no-cold] [--quick]`.
 *
 * Times are whole HTTP requests on loopback, one at a time. Warm: the median of all runs after two
 * that do not count. Cold: one run on a service just started, with the page cache dropped where that
 * is allowed. Every answer is compared with the oracle's; a wrong one ends the benchmark.
 * The baseline, from the same run, is `Buffer.indexOf` over all messages for the query's own text, or
 * for a text that is nowhere: one pass over everything, already in memory, on one core.
 */
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { readMemory } from './child.ts'
import { needles } from './needles.ts'
import { integerOption } from './options.ts'
import { timeIndexOf } from './oracle.ts'
import { dropPageCache } from './page-cache.ts'
import { openData, restart } from './query-data.ts'
import { type BenchQuery, benchQueries, type Expected } from './query-list.ts'
import type { BenchService, QueryAnswer } from './service.ts'
import { formatTable, left, machineLine, median, millis, right, whole } from './table.ts'

interface Measured {
  readonly query: BenchQuery
  readonly expected: Expected
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
const count = integerOption('count', values.count ?? (values.quick ? '200000' : '2000000'))
const seed = integerOption('seed', values.seed)
const runs = Math.max(5, integerOption('runs', values.runs))
const isColdWanted = !values['no-cold'] && !values.quick
const warmUpRuns = 2

const opened = await openData({ seed, count, isFresh: values.fresh })
const { oracle } = opened
let service = opened.service

const measured: Measured[] = []
for (const query of benchQueries) {
  process.stderr.write(`warm: ${query.work}\n`)
  const expected = query.expect(oracle)
  measured.push({ query, expected, ...(await measureWarm(service, query, expected)) })
}
const emptyRoundTripMs = await measureEmptyRoundTrip(service)
const memory = readMemory(service.pid)

let isCacheDropped = true
if (isColdWanted) {
  for (const row of measured) {
    process.stderr.write(`cold: ${row.query.work}\n`)
    await service.stop()
    isCacheDropped = dropPageCache() && isCacheDropped
    service = await restart()
    row.coldMs = await timeQuery(service, row.query, row.expected)
  }
}
await service.stop()
printResults()

async function measureWarm(on: BenchService, query: BenchQuery, expected: Expected) {
  const times: number[] = []
  const scans: number[] = []
  for (let run = 0; run < warmUpRuns + runs; run++) {
    const elapsedMs = await timeQuery(on, query, expected)
    if (run >= warmUpRuns) {
      times.push(elapsedMs)
      scans.push(timeIndexOf(oracle.messages, needles[query.scanFor]))
    }
  }
  return { warmMs: median(times), scanMs: median(scans) }
}

/** Asks once. Throws when the answer is not the right one. */
async function timeQuery(on: BenchService, query: BenchQuery, expected: Expected): Promise<number> {
  const { startTime, endTime, limit } = query
  const startedAt = performance.now()
  const answer = await on.query(query.query, {
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
    ...(limit !== undefined && { limit }),
  })
  const elapsedMs = performance.now() - startedAt

  const difference = findDifference(answer, query, expected)
  if (difference !== undefined) {
    throw new Error(`wrong answer to ${query.query}: ${difference}`)
  }
  return elapsedMs
}

function findDifference(
  answer: QueryAnswer,
  query: BenchQuery,
  expected: Expected,
): string | undefined {
  if (answer.count !== expected.count) {
    return `count is ${answer.count}, expected ${expected.count}`
  }
  const timestamps = answer.logs.map(({ timestamp }) => timestamp)
  if (expected.timestamps !== undefined && !isDeepStrictEqual(timestamps, expected.timestamps)) {
    return `the records are not the earliest ${expected.timestamps.length}, in order`
  }
  if (query.groupBy !== undefined && expected.groups !== undefined) {
    const { groupBy } = query
    const keyOf = (labels: Readonly<Record<string, string>>) =>
      groupBy.map(label => labels[label]).join('/')
    const groups = new Map(answer.groups?.map(group => [keyOf(group.labels), group.count]))
    return isDeepStrictEqual(groups, expected.groups) ? undefined : 'the groups differ'
  }
  return undefined
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
  console.log(`${machineLine()}; warm: median of ${runs}; ${cold}\n`)
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
      measured.map(({ query, expected, warmMs, coldMs, scanMs }) => [
        query.work,
        whole(expected.count),
        millis(warmMs),
        String(query.toReachMs),
        coldMs === undefined ? '' : millis(coldMs),
        millis(scanMs),
        (warmMs / scanMs).toFixed(2),
      ]),
    ),
  )
  console.log(
    `\n${whole(count)} records; every answer equals the oracle's; an empty round trip (GET /health) ` +
      `takes ${millis(emptyRoundTripMs)} ms; the service held ${whole(memory.residentBytes / 1e6)} MB ` +
      `(${whole(memory.peakBytes / 1e6)} MB at most)`,
  )
}
