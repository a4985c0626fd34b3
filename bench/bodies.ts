/**
 * What do bodies cost that are small on the wire and large in memory? `npm run bench:bodies --
 * [--requests 256] [--mib 60] [--seconds 10] [--rate 200] [--kinds NAME,…] [--again]
 * [--flags '--NAME VALUE …'] [--json FILE] [--quick]`.
 *
 * For each kind of body a service of its own, as `npm start` runs it: first good senders alone, single
 * events on a schedule (`paced.ts`), then the same beside so many connections that send such a body at
 * once, each once; with `--again` they send it again and again, as soon as they may, which is harder.
 * Prints the most memory above what it was before, against the bound, what the good senders waited, and
 * what a process waited meanwhile that only wakes and syncs (`machine-share.ts`): what the machine leaves
 * to anybody. And the same of a server that does next to nothing (`bare-durable.ts`). Fails when a good sender was refused, or when the bound did not hold.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { readMemory, startServer } from './child.ts'
import { heavyBodies, type MakeHeavyBody } from './heavy-bodies.ts'
import { type StatusCounts, writeHeavyFile } from './heavy-senders.ts'
import { writeRing } from './load.ts'
import type { MachineShare } from './machine-share.ts'
import { readOptions } from './options.ts'
import { type PacedResult, runPaced } from './paced-load.ts'
import { writeResults } from './results.ts'
import { benchDataDir, startService } from './service.ts'
import { machineLine, millis, printTable, whole } from './table.ts'

const {
  requests,
  seconds,
  rate: perSecond,
  json,
  again,
  ...given
} = readOptions({
  integers: {
    requests: { usual: 256, quick: 64 },
    mib: 60,
    seconds: { usual: 10, quick: 3 },
    rate: 200,
  },
  texts: ['kinds', 'flags'],
  switches: ['again'],
})
const mib = 1024 * 1024
const decodedBytes = given.mib * mib
const kinds = given.kinds?.split(',') ?? Object.keys(heavyBodies)
/** Sealing takes memory of its own, of which this says nothing. */
const unsealed = ['--journal-file-bytes', '2GiB', '--journal-file-records', '2000000000']
const flags = given.flags?.split(' ').filter(flag => flag !== '') ?? []
/** `--max-pending-bytes` as the benchmark runs it, and what may come on top of it. */
const pendingBytes = 256 * mib
const growthBytesMax = pendingBytes + 64 * mib
const goodConnections = 16
const sendersPath = fileURLToPath(new URL('./heavy-senders.ts', import.meta.url))
const barePath = fileURLToPath(new URL('./bare-durable.ts', import.meta.url))
const sharePath = fileURLToPath(new URL('./machine-share.ts', import.meta.url))

interface Row {
  readonly kind: string
  readonly encodedBytes: number
  readonly answers: StatusCounts
  readonly idleBytes: number
  readonly peakBytes: number
  readonly alone: PacedResult
  readonly beside: PacedResult
  readonly shareAlone: MachineShare
  readonly shareBeside: MachineShare
  readonly bare: AloneAndBeside
}

interface AloneAndBeside {
  readonly alone: PacedResult
  readonly beside: PacedResult
}

mkdirSync(benchDataDir, { recursive: true })
const rows: Row[] = []
for (const kind of kinds) {
  const make = heavyBodies[kind]
  if (make === undefined) throw new Error(`no kind "${kind}": ${Object.keys(heavyBodies)}`)
  process.stderr.write(`${kind}\n`)
  rows.push(await measure(kind, make))
}
print()
writeResults(json, {
  bench: 'bodies',
  conditions: {
    requests,
    sending: again ? 'again' : 'once',
    decodedBytes,
    seconds,
    perSecond,
    flags: flags.join(' '),
  },
  rows: rows.map(
    ({ kind, idleBytes, peakBytes, alone, beside, shareAlone, shareBeside, bare }) => ({
      work: kind,
      measures: {
        'grown by MiB': [(peakBytes - idleBytes) / mib],
        'good alone p50 ms': [alone.p50Ms],
        'good alone p99 ms': [alone.p99Ms],
        'good beside p50 ms': [beside.p50Ms],
        'good beside p99 ms': [beside.p99Ms],
        'sync alone p99 ms': [shareAlone.syncP99Ms],
        'sync beside p99 ms': [shareBeside.syncP99Ms],
        'wakes late alone p99 ms': [shareAlone.lateP99Ms],
        'wakes late beside p99 ms': [shareBeside.lateP99Ms],
        'bare alone p99 ms': [bare.alone.p99Ms],
        'bare beside p99 ms': [bare.beside.p99Ms],
      },
    }),
  ),
})
if (rows.some(({ idleBytes, peakBytes }) => peakBytes - idleBytes > growthBytesMax)) {
  console.log('\nthe bound did not hold')
  process.exitCode = 1
}

async function measure(kind: string, make: MakeHeavyBody): Promise<Row> {
  const filePath = `${benchDataDir}heavy-body`
  const ringPath = `${benchDataDir}ring-bodies.tsv`
  const heavy = make(decodedBytes)
  await writeHeavyFile(filePath, heavy)
  const pending = ['--max-pending-bytes', String(pendingBytes)]
  const service = await startService({
    name: 'bodies',
    durability: 'disk',
    data: 'fresh',
    flags: [...pending, ...unsealed, ...flags],
  })
  const tokens = await service.makeTokens()
  await writeRing(ringPath, 1, tokens)
  const good = { server: service, ringPath, connections: goodConnections, perSecond }
  await runPaced({ ...good, seconds: 2 }) // Warm.
  const [alone, shareAlone] = await Promise.all([runPaced({ ...good, seconds }), runShare()])
  const idleBytes = readMemory(service.pid).residentBytes
  writeFileSync(`/proc/${service.pid}/clear_refs`, '5') // Begins the peak anew: see proc(5).
  const sending = runHeavy(service.baseUrl, tokens[0]!, filePath)
  const [beside, shareBeside] = await Promise.all([runPaced({ ...good, seconds }), runShare()])
  const { peakBytes } = readMemory(service.pid)
  await service.stop() // What is still under way has ten seconds.
  const answers = await sending
  const bare = await measureBare({ ringPath, filePath, token: tokens[0]! })
  const measured = { idleBytes, peakBytes, alone, beside, shareAlone, shareBeside, bare }
  return { kind, encodedBytes: heavy.body.length, answers, ...measured }
}

/** The same of `bare-durable.ts`, whose thread counts for as long as the good senders send. */
async function measureBare(sent: {
  readonly ringPath: string
  readonly filePath: string
  readonly token: string
}): Promise<AloneAndBeside> {
  const { ringPath, filePath, token } = sent
  const server = await startServer([barePath, `${benchDataDir}bare-events`, String(seconds)])
  const good = { server, ringPath, connections: goodConnections, perSecond }
  await runPaced({ ...good, seconds: 2 })
  const [alone] = await Promise.all([runPaced({ ...good, seconds }), runShare()])
  const sending = runHeavy(server.baseUrl, token, filePath)
  const [beside] = await Promise.all([runPaced({ ...good, seconds }), runShare()])
  await sending
  await server.stop()
  return { alone, beside }
}

function runHeavy(baseUrl: string, token: string, filePath: string): Promise<StatusCounts> {
  const argv = [sendersPath, baseUrl, token, filePath, requests, again ? seconds : 0].map(String)
  // Senders elsewhere take no time from the service; these share its cores, so they are not urgent.
  return answerOf('nice', ['-n', '19', process.execPath, ...argv])
}

function runShare(): Promise<MachineShare> {
  return answerOf(process.execPath, [sharePath, `${benchDataDir}machine-share`, String(seconds)])
}

/** What a program prints, as JSON. */
async function answerOf<Answer>(program: string, argv: readonly string[]): Promise<Answer> {
  const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}`)
  return JSON.parse(output) as Answer
}

function print(): void {
  const cells = ({
    kind,
    encodedBytes,
    answers,
    idleBytes,
    peakBytes,
    alone,
    beside,
    ...row
  }: Row) => [
    kind,
    whole(encodedBytes / 1024),
    Object.entries(answers)
      .map(([status, count]) => `${status}: ${whole(count)}`)
      .join(', '),
    whole(idleBytes / mib),
    whole((peakBytes - idleBytes) / mib),
    whole(growthBytesMax / mib),
    `${millis(alone.p50Ms)}, ${millis(alone.p99Ms)}`,
    `${millis(beside.p50Ms)}, ${millis(beside.p99Ms)}`,
    (beside.p99Ms / alone.p99Ms).toFixed(1),
    `${millis(row.bare.alone.p99Ms)}, ${millis(row.bare.beside.p99Ms)}`,
    (row.bare.beside.p99Ms / row.bare.alone.p99Ms).toFixed(1),
    `${millis(row.shareAlone.syncP99Ms)}, ${millis(row.shareBeside.syncP99Ms)}`,
    `${millis(row.shareAlone.lateP99Ms)}, ${millis(row.shareBeside.lateP99Ms)}`,
  ]
  console.log(
    `${machineLine()}; ${requests} connections at once, ${again ? 'again and again' : 'each once'}, ${seconds} s each kind\n`,
  )
  printTable(
    'Body: | KiB | Answers: | Idle MiB | Grown by | Bound | Good p50, p99 ms, alone' +
      ' | beside | × p99 | Bare p99, alone, beside | × | A sync, p99, alone, beside | Wakes late',
    rows.map(cells),
  )
}
