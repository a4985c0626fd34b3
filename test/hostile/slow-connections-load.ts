/**
 * `npm run slow-connections -- --count 2000`: what a good client waits, and how late the service's event
 * loop is, while so many slow connections are held, against the same without them; with `--runaway`
 * while so many queries with a runaway regular expression are under way (as a rule 1); with `--rude KIND`
 * while so many connections are held that send what is refused, or are idle (see `rude-connections.ts`).
 *
 * Rounds with and without alternate, so that both see the same machine. The good client and those who
 * hold slow connections are processes of their own: what they take of the processors is shown, because
 * on a small machine it is taken from the service. Queries are about what was there before the first
 * round, so that all have the same work.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adminKey, type ServiceProcess, startService } from '../service/service-process.ts'
import { type GoodTimes, goodClient, percentile } from './good-client.ts'
import { type LoopDelay, loopDelay, loopDelayEnvironment } from './loop-delay.ts'
import { processorMs } from './processor-time.ts'
import { rudeKinds } from './rude-connections.ts'
import { keepRunning, runawayText } from './runaway-queries.ts'
import { slowKinds } from './slow-connections.ts'
import { holdElsewhere, holdRudeElsewhere } from './slow-connections-process.ts'

/** Before a phase counts, ms: connections connect, threads start. */
const warmMs = 3_000

const { values } = parseArgs({
  options: {
    runaway: { type: 'boolean', default: false },
    rude: { type: 'string' },
    count: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
})
const count = Number(values.count ?? (values.runaway ? 1 : 2_000))
const rude = rudeKinds.find(kind => kind === values.rude)
if (values.rude !== undefined && rude === undefined) {
  throw new Error(`--rude is one of ${rudeKinds.join(', ')}`)
}
const forMs = Number(values.seconds) * 1_000
const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-slow-'))
const delayPath = join(directory, 'loop-delay')
const service = await startService(join(directory, 'data'), {
  environment: loopDelayEnvironment(delayPath),
})
const token = await service.makeToken()
await fill(service, values.runaway ? 10_000 : 1_000)
const endTime = Date.now()
await fill(service, values.runaway ? 6_000 : 1_000) // So that no event that follows is in the same range.

/** Processor time of each process, ms. */
interface ProcessorTimes {
  readonly service: number
  readonly client: number
  readonly holder: number
}

interface Phase {
  readonly times: GoodTimes
  /** While everything started. */
  readonly delayAtStart: LoopDelay
  readonly delay: LoopDelay
  readonly processor: ProcessorTimes
}

/** `holder` is the process that holds slow connections. */
async function phase(holder?: number): Promise<Phase> {
  const processorTimes = (): ProcessorTimes => ({
    service: processorMs(service.pid),
    client: processorMs(process.pid),
    holder: holder === undefined ? 0 : processorMs(holder),
  })
  await loopDelay(service.pid, delayPath) // What was before does not count.
  await goodClient(service, token, warmMs, endTime)
  const delayAtStart = await loopDelay(service.pid, delayPath)
  const before = processorTimes()
  const times = await goodClient(service, token, forMs, endTime)
  const after = processorTimes()
  const processor = {
    service: after.service - before.service,
    client: after.client - before.client,
    holder: after.holder - before.holder,
  }
  return { times, delayAtStart, delay: await loopDelay(service.pid, delayPath), processor }
}

const without: Phase[] = []
const during: Phase[] = []
for (let round = 0; round < Number(values.rounds); round++) {
  without.push(await phase())
  during.push(await disturbed())
}
print()
await service.end()
fs.rmSync(directory, { recursive: true })

/** Something to read: large answers for slow readers, or texts that an expression is lost in. */
async function fill(to: ServiceProcess, count: number): Promise<void> {
  const textOf = values.runaway ? runawayText : () => 'x'.repeat(5_000)
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({ i, message: `${i} ${textOf(i)}` }),
  )
  const body = lines.join('\n')
  const { status } = await to.call('POST', '/api/v1/webhook/event/logs', { token, body })
  if (status !== 200) throw new Error(`the data was answered ${status}`)
}

function disturbed(): Promise<Phase> {
  if (rude !== undefined) return withRudeConnections(rude)
  return values.runaway ? withRunaways() : withSlowConnections()
}

async function withRudeConnections(kind: (typeof rudeKinds)[number]): Promise<Phase> {
  const holder = holdRudeElsewhere(kind, { url: service.url, token, key: adminKey }, count)
  const found = await phase(holder.pid)
  const { closedCount } = await holder.end()
  console.log(`${count} ${kind} connections, closed ${closedCount} times`)
  return found
}

async function withRunaways(): Promise<Phase> {
  const runaways = keepRunning(service, count, warmMs + forMs)
  const found = await phase()
  await runaways.end()
  const statuses = [...runaways.statuses].join(', ')
  console.log(`${runaways.begun()} runaway queries, answered ${statuses}`)
  return found
}

async function withSlowConnections(): Promise<Phase> {
  const holder = holdElsewhere({ url: service.url, token, key: adminKey }, count)
  const found = await phase(holder.pid)
  const { openCount, lifetimes } = await holder.end()
  console.log(`${openCount} slow connections at the end`)
  for (const kind of slowKinds) {
    const longest = Math.max(...lifetimes[kind]) / 1_000
    console.log(`${kind}: ${lifetimes[kind].length} closed, after ${longest.toFixed(1)} s at most`)
  }
  return found
}

/** One line per figure: without, during, and how many times as much. All in ms. */
function print(): void {
  const rows: Record<string, object> = {}
  const row = (name: string, of: (phases: readonly Phase[]) => number) => {
    const [a, b] = [of(without), of(during)]
    const ratio = a > 0 ? (b / a).toFixed(2) : ''
    rows[name] = { without: a.toFixed(2), during: b.toFixed(2), ratio }
  }
  for (const kind of ['ingest', 'query'] as const) {
    for (const share of [0.5, 0.99]) {
      row(`${kind} p${100 * share}`, phases => percentile(allTimes(phases, kind), share))
    }
  }
  for (const figure of ['p99', 'p999', 'max'] as const) {
    row(`loop ${figure}, worst round`, phases =>
      Math.max(...phases.map(({ delay }) => delay[figure])),
    )
  }
  row('loop max at the start', phases =>
    Math.max(...phases.map(({ delayAtStart }) => delayAtStart.max)),
  )
  for (const who of ['service', 'client', 'holder'] as const) {
    row(
      `processor of ${who}, ms/s`,
      phases =>
        phases.reduce((sum, { processor }) => sum + processor[who], 0) /
        phases.length /
        (forMs / 1e3),
    )
  }
  console.table(rows)
}

function allTimes(phases: readonly Phase[], kind: keyof GoodTimes): number[] {
  return phases.flatMap(({ times }) => times[kind]).sort((a, b) => a - b)
}
