/**
 * How fast is an export, and in how much memory? `node bench/export.ts [--count 2000000] [--seed 1]
 * [--fresh] [--json FILE] [--quick]`, over the data of `query.ts`, all in segments.
 *
 * Times are whole HTTP requests on loopback, one at a time; the client reads as fast as it can and
 * counts line ends, on the same machine. Memory is that of the whole service: before, and at most
 * during the export; after ten seconds of all the queries of `query.ts`, as in a service in use, and in
 * the last line after a restart, when whatever comes first makes the threads grow. A wrong number of
 * records ends the benchmark.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { createGunzip } from 'node:zlib'
import { readCpuSeconds, readMemory } from './child.ts'
import { describeStore } from './disk-size.ts'
import { prepare, timeQuery } from './measure.ts'
import { dataOptions, readOptions } from './options.ts'
import { dataRange, openData } from './query-data.ts'
import { benchQueries } from './query-list.ts'
import { writeResults } from './results.ts'
import { adminKey, allTimes, type BenchService } from './service.ts'
import { machineLine, printTable, whole } from './table.ts'
import { askInTurn } from './warm.ts'

interface Case {
  readonly work: string
  readonly query: string
  readonly order?: 'asc' | 'desc'
  readonly accept: 'application/x-ndjson' | 'text/csv'
  readonly encoding?: 'gzip'
}

interface Exported {
  readonly work: string
  readonly records: number
  readonly sentBytes: number
  readonly seconds: number
  readonly cpuSeconds: number
  /** Of the service, before and at most during the export. */
  readonly residentBytes: number
  readonly peakBytes: number
}

const ndjson = { accept: 'application/x-ndjson', query: 'logs' } as const
const cases: readonly Case[] = [
  { ...ndjson, work: 'NDJSON' },
  { ...ndjson, work: 'NDJSON, latest first', order: 'desc' },
  { ...ndjson, work: 'NDJSON, gzip', encoding: 'gzip' },
  { ...ndjson, work: 'CSV', accept: 'text/csv' },
  { ...ndjson, work: 'NDJSON of the errors', query: 'logs{log_level="error"}' },
  { ...ndjson, work: 'NDJSON of messages with "timeout"', query: 'logs |= "timeout"' },
]

const { count, seed, fresh: isFresh, json, quick: isQuick } = readOptions(dataOptions)
const data = await openData({ seed, count, isFresh, keepsMessages: true, isQuick })
const { service, figures, origin, oracle } = data
const storeLine = describeStore(figures, service.dataDir)

const usedMs = isQuick ? 1_000 : 10_000
const queries = benchQueries.map(query => prepare(query, oracle, dataRange(count)))
const asks = queries.map(query => () => timeQuery(service, query))
await askInTurn(asks, usedMs)
const exported: Exported[] = []
for (const one of cases) {
  process.stderr.write(`${one.work}\n`)
  exported.push(await measure(service, one))
}
await service.stop()
const restarted = await data.restart()
exported.push(await measure(restarted, { ...cases[0]!, work: 'NDJSON, first after a restart' }))
await restarted.stop()
console.log(`${machineLine()}; all queries in turn for ${usedMs / 1000} s first\n`)
printTable(
  'Export: | Records | MB sent | Seconds | Records/s | CPU µs/record | Memory before' +
    ' | At most',
  exported.map(toCells),
)
console.log(`\n${storeLine}; ${origin}`)
writeResults(json, {
  bench: 'export',
  conditions: { count, seed },
  rows: exported.map(({ work, records, seconds, cpuSeconds, residentBytes, peakBytes }) => ({
    work,
    measures: {
      'records/s': [records / seconds],
      'CPU µs/record': [(cpuSeconds / records) * 1e6],
      'more memory MB': [(peakBytes - residentBytes) / 1e6],
    },
  })),
})

async function measure(on: BenchService, one: Case): Promise<Exported> {
  const { work } = one
  const records = (await on.query(one.query)).count
  const { residentBytes } = readMemory(on.pid)
  writeFileSync(`/proc/${on.pid}/clear_refs`, '5') // The peak counts from now on.
  const cpuBefore = readCpuSeconds(on.pid)
  const startedAt = performance.now()
  const answer = await ask(on, one)
  const { sentBytes, lines } = await read(answer, one.encoding === 'gzip')
  const seconds = (performance.now() - startedAt) / 1000
  const cpuSeconds = readCpuSeconds(on.pid) - cpuBefore
  // A message may have line ends of its own, which stand in CSV as they are.
  const isRight = one.accept === 'text/csv' ? lines > records : lines === records
  if (!isRight) throw new Error(`${work}: ${lines} lines, not ${records}`)
  const { peakBytes } = readMemory(on.pid)
  return { work, records, sentBytes, seconds, cpuSeconds, residentBytes, peakBytes }
}

function toCells(one: Exported): string[] {
  const { work, records, sentBytes, seconds, cpuSeconds, residentBytes, peakBytes } = one
  return [
    work,
    whole(records),
    whole(sentBytes / 1e6),
    seconds.toFixed(2),
    whole(records / seconds),
    ((cpuSeconds / records) * 1e6).toFixed(1),
    `${whole(residentBytes / 1e6)} MB`,
    `${whole(peakBytes / 1e6)} MB`,
  ]
}

async function ask(on: BenchService, one: Case): Promise<IncomingMessage> {
  const asked = request(`${on.baseUrl}/api/v1/query/logs/export`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${adminKey}`,
      'Content-Type': 'application/json',
      Accept: one.accept,
      ...(one.encoding === undefined ? {} : { 'Accept-Encoding': one.encoding }),
    },
  })
  asked.end(JSON.stringify({ ...allTimes, query: one.query, order: one.order ?? 'asc' }))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`${one.work} was answered ${answer.statusCode}`)
  return answer
}

/** Throws when the answer is broken off. */
async function read(answer: IncomingMessage, isGzip: boolean) {
  let sentBytes = 0
  let lines = 0
  answer.on('data', (chunk: Buffer) => {
    sentBytes += chunk.length
  })
  for await (const chunk of isGzip ? answer.pipe(createGunzip()) : answer) {
    const bytes = chunk as Buffer
    for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
  }
  if (!answer.complete) throw new Error('the answer was broken off')
  return { sentBytes, lines }
}
