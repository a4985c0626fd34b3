/**
 * How fast do events come in by the protocols of other services, on disk? `npm run bench:senders --
 * [--count 1000000] [--rounds 3] [--only bulk,HEC] [--json FILE] [--quick]`.
 *
 * The made records as each protocol has them, 5,000 a request, over four connections, each of which sends the
 * next when the one before is acknowledged. A process of its own makes the requests before it begins, and
 * sends them on the same cores; its processor time stands apart. `events` is the baseline: NDJSON by our own
 * route. In turn, so that a slow moment of the machine meets all of them.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { metricOf, startListening } from '../test/listen/listening-service.ts'
import { Client } from './client.ts'
import { readOptions } from './options.ts'
import { type MadeRecord, makeRecords } from './records.ts'
import { writeResults } from './results.ts'
import { packedMessage, senderBodies } from './sender-bodies.ts'
import { machineLine, median, printTable, whole } from './table.ts'

const connections = 4
const perRequest = 5_000
/** Requests that are made; each is sent several times. */
const bodyCount = 20

const { count, rounds, positionals, ...values } = readOptions({
  integers: {
    count: { usual: 1_000_000, quick: 40_000 },
    rounds: { usual: 3, quick: 1 },
  },
  texts: ['only'],
  takesPositionals: true,
})
/** Whole requests, as many for each connection. */
const perConnection = Math.ceil(count / connections / perRequest)
const records = connections * perConnection * perRequest

interface Sent {
  readonly 'records/s': number
  /** Of the service, and of the process that sends; in seconds. */
  readonly 'CPU s per 1M': number
  readonly 'generator CPU s per 1M': number
}

if (positionals[0] === 'send') await send(positionals.slice(1))
else await measure()

async function measure(): Promise<void> {
  const names = values.only?.split(',') ?? Object.keys(senderBodies)
  const unknown = names.find(name => senderBodies[name] === undefined)
  if (unknown !== undefined) throw new Error(`--only knows no "${unknown}"`)
  const rows = names.map(work => ({ work, sent: [] as Sent[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { work, sent } of rows) sent.push(await sentBy(work))
  }
  console.log(machineLine())
  const columns = ['records/s', 'CPU s per 1M', 'generator CPU s per 1M'] as const
  const cells = rows.map(({ work, sent }) => [
    work,
    ...columns.map(column => {
      const value = median(sent.map(one => one[column]))
      return column === 'records/s' ? whole(value) : value.toFixed(1)
    }),
  ])
  printTable(['Protocol:', ...columns], cells)
  writeResults(values.json, {
    bench: 'senders',
    conditions: { count: records, perRequest },
    rows: rows.map(({ work, sent }) => ({
      work,
      measures: Object.fromEntries(columns.map(column => [column, sent.map(one => one[column])])),
    })),
  })
}

/** With a service of its own, fresh each time. Throws when not exactly what was sent is there. */
async function sentBy(name: string): Promise<Sent> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-senders-'))
  const service = await startListening(dataDir, [['forward', 'tcp', 'shop/test']])
  const token = await service.makeToken('shop', 'test')
  const place = [service.url, token, String(service.port('forward', 'tcp'))]
  const argv = [import.meta.filename, 'send', name, ...place, '--count', String(count)]
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = child.stdout[Symbol.asyncIterator]()
  await said.next() // It has made the requests.
  const cpu = () => metricOf(service, 'process_cpu_seconds_total')
  const cpuBefore = await cpu()
  child.stdin.end('go\n')
  const { value } = await said.next()
  const cpuOfService = (await cpu()) - cpuBefore
  if (value === undefined) throw new Error(`the generator of ${name} failed`)
  const { seconds, generator } = JSON.parse(String(value))
  const { count: kept } = (await service.query('logs')).body
  if (kept !== records) throw new Error(`${name}: ${kept} records of ${records} are there`)
  await service.end()
  rmSync(dataDir, { recursive: true })
  return {
    'records/s': records / seconds,
    'CPU s per 1M': (cpuOfService / records) * 1e6,
    'generator CPU s per 1M': (generator / records) * 1e6,
  }
}

/** In the process that sends: makes the requests, says so, waits for a word, sends, says how long it took. */
async function send([name, url, token, port]: readonly string[]): Promise<void> {
  const { path, contentType, bodyOf } = senderBodies[name!]!
  const made = makeRecords({ seed: 1, count: bodyCount * perRequest })
  const bodies = Array.from({ length: bodyCount }, () => bodyOf([...take(made)]))
  console.log('ready')
  await once(process.stdin, 'data')
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  if (path === undefined) {
    await inTurn(bodies, () => forwardConnection(Number(port)))
  } else {
    const client = new Client(url!, connections)
    await inTurn(bodies, async () => body => client.post(path, token!, contentType, body))
    client.close()
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  console.log(JSON.stringify({ seconds, generator: (user + system) / 1e6 }))
  process.exit()
}

function* take(made: Iterator<MadeRecord>): Generator<MadeRecord> {
  for (let i = 0; i < perRequest; i++) yield made.next().value
}

type Sending = (body: Buffer) => Promise<unknown>

async function inTurn(bodies: readonly Buffer[], open: () => Promise<Sending>): Promise<void> {
  const ofConnection = async (_: unknown, first: number) => {
    const sendOne = await open()
    for (let i = 0; i < perConnection; i++) {
      await sendOne(bodies[(first + i * connections) % bodies.length]!)
    }
  }
  await Promise.all(Array.from({ length: connections }, ofConnection))
}

async function forwardConnection(port: number): Promise<Sending> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  let chunk = 0
  return async packed => {
    socket.write(packedMessage(packed, String(chunk++)))
    await once(socket, 'data')
  }
}
