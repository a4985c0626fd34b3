/**
 * `npm run slow-connections -- --count 2000`: what a good client waits, and how late the service's event
 * loop is, while so many slow connections are held, against the same without them; with `--runaway`
 * while so many queries with a runaway regular expression are under way (as a rule 1).
 *
 * Rounds with and without alternate, so that both see the same machine.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { adminKey, type ServiceProcess, startService } from '../service/service-process.ts'
import { type GoodTimes, goodClient, percentile } from './good-client.ts'
import { type LoopDelay, loopDelay, loopDelayEnvironment } from './loop-delay.ts'
import { keepRunning, runawayText } from './runaway-queries.ts'
import { holdSlowConnections, slowKinds } from './slow-connections.ts'

/** Before a phase counts, ms: connections connect, threads start. */
const warmMs = 3_000

const { values } = parseArgs({
  options: {
    runaway: { type: 'boolean', default: false },
    count: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
  },
})
const count = Number(values.count ?? (values.runaway ? 1 : 2_000))
const forMs = Number(values.seconds) * 1_000
const directory = fs.mkdtempSync(join(tmpdir(), 'logstrata-slow-'))
const delayPath = join(directory, 'loop-delay')
const service = await startService(join(directory, 'data'), {
  environment: loopDelayEnvironment(delayPath),
})
const token = await service.makeToken()
await fill(service)

interface Phase {
  readonly times: GoodTimes
  readonly delay: LoopDelay
}

async function phase(): Promise<Phase> {
  await goodClient(service, token, warmMs)
  await loopDelay(service.pid, delayPath) // What was before does not count.
  const times = await goodClient(service, token, forMs)
  return { times, delay: await loopDelay(service.pid, delayPath) }
}

const without: Phase[] = []
const during: Phase[] = []
for (let round = 0; round < Number(values.rounds); round++) {
  without.push(await phase())
  during.push(values.runaway ? await withRunaways() : await withSlowConnections())
}
print()
await service.end()
fs.rmSync(directory, { recursive: true })

/** Something to read: large answers for slow readers, or texts that an expression is lost in. */
async function fill(to: ServiceProcess): Promise<void> {
  const [events, textOf] = values.runaway ? [10_000, runawayText] : [1_000, () => 'x'.repeat(5_000)]
  const lines = Array.from({ length: events }, (_, i) =>
    JSON.stringify({ i, message: `${i} ${textOf(i)}` }),
  )
  const body = lines.join('\n')
  const { status } = await to.call('POST', '/api/v1/webhook/event/logs', { token, body })
  if (status !== 200) throw new Error(`the data was answered ${status}`)
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
  const slow = holdSlowConnections({ url: service.url, token, key: adminKey }, count)
  const found = await phase()
  console.log(`${slow.openCount()} slow connections at the end`)
  await slow.allClosedOnce
  slow.end()
  for (const kind of slowKinds) {
    const longest = Math.max(...slow.lifetimes[kind]) / 1_000
    console.log(
      `${kind}: ${slow.lifetimes[kind].length} closed, after ${longest.toFixed(1)} s at most`,
    )
  }
  return found
}

/** One line per figure: without, during, and how many times as much. All in ms. */
function print(): void {
  const rows: Record<string, object> = {}
  const row = (name: string, of: (phases: readonly Phase[]) => number) => {
    const [a, b] = [of(without), of(during)]
    rows[name] = { without: a.toFixed(2), during: b.toFixed(2), ratio: (b / a).toFixed(2) }
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
  console.table(rows)
}

function allTimes(phases: readonly Phase[], kind: keyof GoodTimes): number[] {
  return phases.flatMap(({ times }) => times[kind]).sort((a, b) => a - b)
}
