/**
 * What does the scrub cost those who send and ask? `npm run bench:scrub -- [--count 1000000] [--seconds 10]
 * [--rounds 3] [--rate 500] [--json FILE] [--quick]`.
 *
 * One data directory, and in turn a service that scrubs as it does by default, one that scrubs all the time
 * at 64 times its rate, and one that does not. Beside each, single durable events on a schedule (`paced.ts`)
 * and a query that counts a word, one after the other. Figures are medians of the rounds; memory is what
 * is held when they end.
 */
import { mkdirSync } from 'node:fs'
import { readCpuSeconds, readMemory } from './child.ts'
import { writeRing } from './load.ts'
import { readOptions } from './options.ts'
import { type PacedResult, runPaced } from './paced-load.ts'
import { loadAndSettle } from './query-data.ts'
import { makeRecords } from './records.ts'
import { writeResults } from './results.ts'
import { type BenchService, benchDataDir, startService } from './service.ts'
import { settlingFlags } from './settle.ts'
import { machineLine, median, millis, percentile, printTable, whole } from './table.ts'

const {
  count,
  seconds,
  rounds,
  rate: perSecond,
  json,
  quick,
} = readOptions({
  integers: {
    count: { usual: 1_000_000, quick: 20_000 },
    seconds: { usual: 10, quick: 1 },
    rounds: { usual: 3, quick: 1 },
    rate: 500,
  },
})
const connections = 16
const ringPath = `${benchDataDir}ring-scrub.tsv`
const mib = 1024 * 1024

const kinds: Readonly<Record<string, readonly string[]>> = {
  'no scrub': ['--scrub-interval', '1d'],
  'as by default': ['--scrub-interval', '5s'], // Its share of 5 s instead of a minute: several in a run.
  'all the time, 64 MiB/s': ['--scrub-interval', '100ms', '--scrub-rate', '64MiB'],
}

interface Run {
  readonly events: PacedResult
  readonly queryMs: readonly number[]
  readonly cpuSeconds: number
  readonly residentBytes: number
  readonly scrubbedBytes: number
}

mkdirSync(benchDataDir, { recursive: true })
await load()
const runs = new Map<string, Run[]>(Object.keys(kinds).map(kind => [kind, []]))
for (let round = 0; round < rounds; round++) {
  for (const [kind, flags] of Object.entries(kinds)) {
    process.stderr.write(`round ${round + 1}, ${kind}\n`)
    runs.get(kind)!.push(await run(flags))
  }
}
print()
writeResults(json, {
  bench: 'scrub',
  conditions: { count, perSecond, connections, seconds },
  rows: [...runs].map(([work, of]) => ({
    work,
    measures: {
      'events p50 ms': of.map(({ events }) => events.p50Ms),
      'events p99 ms': of.map(({ events }) => events.p99Ms),
      'query p50 ms': of.map(({ queryMs }) => percentile(queryMs, 50)),
      'query p99 ms': of.map(({ queryMs }) => percentile(queryMs, 99)),
      cores: of.map(({ cpuSeconds }) => cpuSeconds / seconds),
      'memory MiB': of.map(({ residentBytes }) => residentBytes / mib),
    },
  })),
})

function start(data: 'fresh' | 'kept', flags: readonly string[]): Promise<BenchService> {
  return startService({
    name: 'scrub',
    durability: 'disk',
    data,
    flags: [...settlingFlags(quick), ...flags],
  })
}

async function load(): Promise<void> {
  const service = await start('fresh', [])
  const tokens = await service.makeTokens()
  await loadAndSettle(service, tokens, makeRecords({ seed: 1, count }))
  await writeRing(ringPath, 2, tokens)
  await service.stop()
}

async function run(flags: readonly string[]): Promise<Run> {
  const service = await start('kept', flags)
  await runPaced({ server: service, ringPath, connections, perSecond, seconds: 1 })
  const cpuBefore = readCpuSeconds(service.pid)
  const queryMs: number[] = []
  const over = new AbortController()
  const ask = async () => {
    while (!over.signal.aborted) {
      const startedAt = performance.now()
      await service.query('count(logs |= "timeout")')
      queryMs.push(performance.now() - startedAt)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const sent = runPaced({ server: service, ringPath, connections, perSecond, seconds })
  const [events] = await Promise.all([sent.finally(() => over.abort()), ask()])
  const cpuSeconds = readCpuSeconds(service.pid) - cpuBefore
  const { residentBytes } = readMemory(service.pid)
  const scrubbedBytes = await scrubbed(service)
  await service.stop()
  return { events, queryMs, cpuSeconds, residentBytes, scrubbedBytes }
}

async function scrubbed(service: BenchService): Promise<number> {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text()
  return Number(/^logstrata_scrub_bytes_total (\S+)$/m.exec(text)?.[1])
}

function print(): void {
  const rows = [...runs].map(([kind, of]) => {
    const middle = (figure: (run: Run) => number) => median(of.map(figure))
    return [
      kind,
      whole(middle(({ scrubbedBytes }) => scrubbedBytes / mib)),
      millis(middle(({ events }) => events.p50Ms)),
      millis(middle(({ events }) => events.p99Ms)),
      millis(middle(({ queryMs }) => percentile(queryMs, 50))),
      millis(middle(({ queryMs }) => percentile(queryMs, 99))),
      (middle(({ cpuSeconds }) => cpuSeconds) / seconds).toFixed(2),
      whole(middle(({ residentBytes }) => residentBytes / mib)),
    ]
  })
  console.log(
    `${machineLine()}; ${whole(count)} records, ${perSecond} durable events a second over ` +
      `${connections} connections, medians of ${rounds} rounds of ${seconds} s\n`,
  )
  const columns = ['MiB read', 'Events p50 ms', 'p99', 'Query p50 ms', 'p99', 'Cores', 'MiB']
  printTable(['Scrub:', ...columns], rows)
}
