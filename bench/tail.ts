/**
 * How soon does an event reach those who tail, and what do tails cost the senders? `node bench/tail.ts
 * [--clients 100] [--rate 5000] [--seconds 20] [--seed 1] [--json FILE] [--quick]`.
 *
 * Single durable events on a schedule (`paced.ts`), without tails and with many (`tail-clients.ts`):
 * all with one query, each with its own, and all with a query for everything. Events carry the time at
 * which they were sent, so a delay is from there to the client, with the way to the disk in it.
 * Sender, clients and service share the machine. In the end each client must have been given, or told
 * of, exactly as many records as match its query.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { writeRing } from './load.ts'
import { readOptions } from './options.ts'
import { sentMark } from './paced.ts'
import { type PacedResult, runPaced } from './paced-load.ts'
import { type BenchRow, writeResults } from './results.ts'
import { adminKey, type BenchService, benchDataDir, startService } from './service.ts'
import { machineLine, millis, printTable, whole } from './table.ts'
import type { TailSummary } from './tail-clients.ts'

const {
  clients: clientCount,
  rate: perSecond,
  seconds,
  seed,
  json,
} = readOptions({
  integers: { clients: 100, rate: 5_000, seconds: { usual: 20, quick: 2 }, seed: 1 },
})
const connections = 64

interface Run {
  readonly work: string
  /** Of each client. */
  readonly queries: readonly string[]
}

const ofClients = (query: (client: number) => string) =>
  Array.from({ length: clientCount }, (_, client) => query(client))
const hostCount = 40
const hostOf = (n: number) => `node-${String(n).padStart(2, '0')}.fra1.example.internal`

const runs: readonly Run[] = [
  { work: 'no tails', queries: [] },
  { work: 'one query, 5 % match', queries: ofClients(() => 'logs{log_level="error"}') },
  {
    work: 'a query for each, 2.5 % match',
    queries: ofClients(n => `logs{host="${hostOf(n % hostCount)}"} != "nowhere ${n}"`),
  },
  { work: 'one query, all match', queries: ofClients(() => 'logs') },
]

interface Outcome {
  readonly sent: PacedResult
  readonly tails: TailSummary
}

const clientsPath = fileURLToPath(new URL('./tail-clients.ts', import.meta.url))
const noTails: TailSummary = { received: [], dropped: [], p50Ms: 0, p99Ms: 0, mostMs: 0 }

mkdirSync(benchDataDir, { recursive: true })
const service = await startService({ name: 'tail', durability: 'disk', data: 'fresh' })
const ringPath = `${benchDataDir}ring-tail.tsv`
const stamped = (json: string) => `{"sent_at":"${sentMark}",${json.slice(1)}`
await writeRing(ringPath, seed, await service.makeTokens(), { change: stamped })
const paced = { server: service, ringPath, connections, perSecond }
await runPaced({ ...paced, seconds: 2 }) // So that no run has a service that is not warm.

console.log(`${machineLine()}; ${clientCount} clients, ${perSecond} events/s, ${seconds} s each\n`)
const rows: string[][] = []
const results: BenchRow[] = []
for (const run of runs) {
  const outcome = await carryOut(service, run)
  rows.push(rowOf(run, outcome))
  results.push(resultOf(run, outcome))
}
await service.stop()
printTable(
  'Tails: | Acknowledged/s | p50 ms | p99 ms | Tailed/s | p50 ms | p99 ms | Most ms' +
    ' | Dropped | Server cores',
  rows,
)
writeResults(json, {
  bench: 'tail',
  conditions: { clients: clientCount, perSecond, seconds, seed },
  rows: results,
})

async function carryOut(service: BenchService, { work, queries }: Run): Promise<Outcome> {
  process.stderr.write(`${work}\n`)
  if (queries.length === 0) {
    return { sent: await runPaced({ ...paced, seconds }), tails: noTails }
  }
  const queriesPath = `${benchDataDir}tail-queries.txt`
  writeFileSync(queriesPath, `${queries.join('\n')}\n`)
  const countsBefore = await countAll(service, queries)
  const child = spawn(process.execPath, [clientsPath, service.baseUrl, adminKey, queriesPath], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const summary = summaryOf(child)
  await summary.ready
  const sent = await runPaced({ ...paced, seconds })
  await new Promise(resolve => setTimeout(resolve, 1_000)) // Longer than any delay that would do.
  child.stdin!.end()
  const tails = await summary.printed
  const countsAfter = await countAll(service, queries)
  queries.forEach((query, client) => {
    const expected = countsAfter.get(query)! - countsBefore.get(query)!
    const got = tails.received[client]! + tails.dropped[client]!
    if (got !== expected) throw new Error(`${query}: ${expected} records, but ${got} were tailed`)
  })
  return { sent, tails }
}

/** What a process of clients prints: that it is ready, and its summary. */
function summaryOf(child: ChildProcess) {
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const line = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the clients ended')
    return value as string
  }
  const ready = line()
  return { ready, printed: ready.then(async () => JSON.parse(await line()) as TailSummary) }
}

async function countAll(
  service: BenchService,
  queries: readonly string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const query of new Set(queries)) {
    counts.set(query, (await service.query(`count(${query})`)).count)
  }
  return counts
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

function resultOf({ work }: Run, { sent, tails }: Outcome): BenchRow {
  const ofTails = {
    'tailed/s': [sum(tails.received) / sent.seconds],
    'tailed p50 ms': [tails.p50Ms],
    'tailed p99 ms': [tails.p99Ms],
    dropped: [sum(tails.dropped)],
  }
  const ofSent = {
    'acknowledged/s': [sent.acknowledged / sent.seconds],
    'acknowledged p50 ms': [sent.p50Ms],
    'acknowledged p99 ms': [sent.p99Ms],
    'server cores': [sent.serverCores],
  }
  return { work, measures: tails.received.length === 0 ? ofSent : { ...ofSent, ...ofTails } }
}

function rowOf({ work }: Run, { sent, tails }: Outcome): string[] {
  const isTailed = tails.received.length > 0
  const ifTailed = (figure: string) => (isTailed ? figure : '')
  return [
    work,
    whole(sent.acknowledged / sent.seconds),
    millis(sent.p50Ms),
    millis(sent.p99Ms),
    ifTailed(whole(sum(tails.received) / sent.seconds)),
    ifTailed(millis(tails.p50Ms)),
    ifTailed(millis(tails.p99Ms)),
    ifTailed(millis(tails.mostMs)),
    ifTailed(whole(sum(tails.dropped))),
    sent.serverCores.toFixed(2),
  ]
}
