/**
 * Clients that tail, all in this process: `node bench/tail-clients.ts BASE_URL KEY QUERIES`, of which
 * QUERIES is a file with a query per line, one for each client.
 *
 * Prints `ready` when all are connected. When standard input ends it prints one line of JSON, a
 * `TailSummary`. Nothing is parsed but for what is measured: these clients run on the cores of the
 * service, and shall cost as little as they can.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { clockMs, sentMark } from './paced.ts'

export interface TailSummary {
  /** Of each client. */
  readonly received: readonly number[]
  readonly dropped: readonly number[]
  /** From when an event was sent to when it came, of all records that any client got. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly mostMs: number
}

/** What stands before the time at which an event was sent. */
const beforeMark = Buffer.from('"sent_at":"')
const dropped = Buffer.from('event: dropped\ndata: {"count":')

/** Counts of delays, in steps of 0.1 ms up to a minute. */
const stepsPerMs = 10
const delays = new Uint32Array(60_000 * stepsPerMs)

class TailClient {
  received = 0
  dropped = 0
  #rest: Buffer = Buffer.alloc(0)

  take(chunk: Buffer): void {
    const now = clockMs()
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    // Whole events only; what is cut off is looked at with the next chunk.
    const end = bytes.lastIndexOf('\n\n') + 2
    if (end < 2) {
      this.#rest = bytes
      return
    }
    const whole = bytes.subarray(0, end)
    this.#rest = bytes.subarray(end)
    for (let at = whole.indexOf(beforeMark); at !== -1; at = whole.indexOf(beforeMark, at + 1)) {
      const markAt = at + beforeMark.length
      const delayMs = now - Number(whole.toString('latin1', markAt, markAt + sentMark.length))
      const step = Math.min(delays.length - 1, Math.max(0, Math.round(delayMs * stepsPerMs)))
      delays[step]!++
      this.received++
    }
    for (let at = whole.indexOf(dropped); at !== -1; at = whole.indexOf(dropped, at + 1)) {
      this.dropped += Number.parseInt(whole.toString('latin1', at + dropped.length, at + 60), 10)
    }
  }
}

async function connect(baseUrl: string, key: string, query: string): Promise<TailClient> {
  const parameters = new URLSearchParams({ query, last: '0' })
  const headers = { Authorization: `Bearer ${key}` }
  const asked = request(`${baseUrl}/api/v1/query/logs/tail?${parameters}`, {
    headers,
    agent: false,
  })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`a tail was answered ${answer.statusCode}`)
  const client = new TailClient()
  answer.on('data', chunk => client.take(chunk))
  answer.on('close', () => fail('a tail ended'))
  return client
}

function percentileMs(percent: number): number {
  const count = delays.reduce((sum, n) => sum + n, 0)
  const wanted = Math.max(1, Math.ceil((percent / 100) * count))
  let sum = 0
  const step = delays.findIndex(n => {
    sum += n
    return sum >= wanted
  })
  return step / stepsPerMs
}

function fail(reason: string): void {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

const [baseUrl, key, queriesPath] = process.argv.slice(2) as [string, string, string]
const queries = readFileSync(queriesPath, 'utf8').split('\n').filter(Boolean)
const clients = await Promise.all(queries.map(query => connect(baseUrl, key, query)))
process.stdout.write('ready\n')
process.stdin.resume()
await once(process.stdin, 'end')
const summary: TailSummary = {
  received: clients.map(client => client.received),
  dropped: clients.map(client => client.dropped),
  p50Ms: percentileMs(50),
  p99Ms: percentileMs(99),
  mostMs: percentileMs(100),
}
process.stdout.write(`${JSON.stringify(summary)}\n`, () => process.exit(0))
