/**
 * What the client of the benchmarks takes by itself, beside `node:http`, which they used before:
 * `node bench/round-trip.ts [--rounds 5] [--requests 3000] [--json FILE] [--quick]`.
 *
 * Each posts a query's body to a bare uWebSockets.js handler on one connection, in turn; times are medians of
 * single requests, and the processor's time is of the process that asks.
 */
import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { startServer } from './child.ts'
import { Client } from './client.ts'
import { readOptions } from './options.ts'
import { type BenchRow, writeResults } from './results.ts'
import { adminKey, allTimes } from './service.ts'
import { machineLine, median, printTable, whole } from './table.ts'

const { rounds, requests, json } = readOptions({
  integers: { rounds: { usual: 5, quick: 1 }, requests: { usual: 3_000, quick: 300 } },
})
const path = '/api/v1/query/logs'
const type = 'application/json'
const body = JSON.stringify({ ...allTimes, query: 'count(logs)', limit: 1 })

const barePath = fileURLToPath(new URL('./bare.ts', import.meta.url))
const server = await startServer([barePath, 'read'])
const client = new Client(server.baseUrl)
const agent = new Agent({ keepAlive: true, maxSockets: 1, noDelay: true })

const asks: Readonly<Record<string, () => Promise<unknown>>> = {
  "the benchmarks' client": () => client.post(path, adminKey, type, body),
  'node:http': () => postByAgent(server.baseUrl),
}
const rows = Object.keys(asks).map(work => ({
  work,
  measures: { 'round trip ms': [] as number[], 'its CPU ms': [] as number[] },
}))
for (let round = 0; round < rounds; round++) {
  for (const { work, measures } of rows) {
    const { tripMs, cpuMs } = await measure(asks[work]!)
    measures['round trip ms'].push(tripMs)
    measures['its CPU ms'].push(cpuMs)
  }
}
agent.destroy()
client.close()
await server.stop()

console.log(`${machineLine()}; ${rounds} rounds of ${whole(requests)} requests, medians\n`)
printTable(
  'Client: | Round trip µs | of its own CPU µs',
  rows.map(({ work, measures }) => [
    work,
    ...Object.values(measures).map(values => whole(1_000 * median(values))),
  ]),
)
const conditions = { requests }
writeResults(json, { bench: 'round-trip', conditions, rows: rows satisfies BenchRow[] })

async function measure(ask: () => Promise<unknown>) {
  for (let i = 0; i < requests / 10; i++) await ask()
  const times: number[] = []
  const cpuBefore = process.cpuUsage()
  for (let i = 0; i < requests; i++) {
    const startedAt = performance.now()
    await ask()
    times.push(performance.now() - startedAt)
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  return { tripMs: median(times), cpuMs: (user + system) / 1_000 / requests }
}

function postByAgent(baseUrl: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  const headers = {
    Authorization: `Bearer ${adminKey}`,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
  }
  return new Promise((resolve, reject) => {
    const options = { agent, host: hostname, port, method: 'POST', path, headers }
    const outgoing = request(options, incoming => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('error', reject)
      incoming.once('end', () => resolve(Buffer.concat(chunks).toString()))
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}
