/**
 * An engine that is away for a while: paused (it takes connections, and answers nothing), then gone (it
 * refuses them). Events are sent all along, and questions asked: each event is acknowledged, no question is
 * answered by the journal alone, and all are there once when the engine is back. `npm run clickhouse-away --
 * SECONDS` runs it for as long as wanted, `away.test.ts` for two seconds each.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { EventsOracle, metric } from '../faults/events-oracle.ts'
import { type ServiceProcess, startService } from '../service/service-process.ts'
import { until } from '../until.ts'
import { startEngine } from './engine-process.ts'

export interface AwayReport {
  /** Of events that were sent; all are to be. */
  readonly sent: number
  readonly acknowledged: number
  /** How questions were answered while the engine was away, such as `503 clickhouse_unreachable`. */
  readonly answers: ReadonlySet<string>
  /** Of `/ready` meanwhile. */
  readonly ready: ReadonlySet<number>
  /** Rows of the table at the end, and how many of them differ. */
  readonly rows: number
  readonly distinctRows: number
  readonly violations: readonly string[]
}

const eventsPerRequest = 10
const betweenRequestsMs = 40

/** `directory` is empty. `awayMs`: how long it is paused, and then gone. */
export async function engineAway(directory: string, awayMs: number): Promise<AwayReport> {
  const engine = await startEngine(`${directory}/engine`)
  let service: ServiceProcess | undefined
  try {
    const store = ['--store', 'clickhouse', '--clickhouse-url', `${engine.url}/default`]
    const quickly = ['--clickhouse-ship-after', '100ms', '--query-timeout', '1s']
    service = await startService(`${directory}/data`, { flags: [...store, ...quickly] })
    const meanwhile = new Meanwhile(service, await service.makeToken())
    const { pid } = engine
    process.kill(pid, 'SIGSTOP')
    await meanwhile.goOn(awayMs)
    process.kill(pid, 'SIGCONT')
    await meanwhile.isOver()
    await engine.kill()
    await meanwhile.goOn(awayMs)
    await engine.start()
    await meanwhile.isOver()
    const { oracle, answers, ready } = meanwhile
    const found = await engine.ask('SELECT count(), uniqExact(Sequence) FROM otel_logs')
    const [rows, distinctRows] = found.trim().split('\t').map(Number)
    return {
      ...{ sent: oracle.sent.size, acknowledged: oracle.acknowledged.size, answers, ready },
      ...{ rows: rows!, distinctRows: distinctRows!, violations: meanwhile.violations },
    }
  } finally {
    await service?.end('SIGKILL')
    await engine.kill()
  }
}

/** Who sends and asks while the engine is away. */
class Meanwhile {
  readonly oracle = new EventsOracle()
  readonly answers = new Set<string>()
  readonly ready = new Set<number>()
  readonly violations: string[] = []
  readonly #service: ServiceProcess
  readonly #token: string

  constructor(service: ServiceProcess, token: string) {
    this.#service = service
    this.#token = token
  }

  async goOn(awayMs: number): Promise<void> {
    const endsAt = performance.now() + awayMs
    const isGoingOn = () => performance.now() < endsAt
    await Promise.all([this.#send(isGoingOn), this.#ask(isGoingOn)])
  }

  /** Resolves when all is sent. */
  async isOver(): Promise<void> {
    const service = this.#service
    await until(async () => (await service.query('count(logs)')).status === 200)
    // An attempt is given up after 60 s, and a pause between two is of 30 at most: `until` has two minutes.
    await until(async () => (await metric(service, 'clickhouse_waiting_bytes')) === 0)
    this.violations.push(...(await this.oracle.violations(service)))
  }

  async #send(isGoingOn: () => boolean): Promise<void> {
    for (; isGoingOn(); await pause(betweenRequestsMs)) {
      const { size } = this.oracle.sent
      const ids = Array.from({ length: eventsPerRequest }, (_, i) => `event ${size + i}`)
      await this.oracle.send(this.#service, this.#token, ids)
    }
  }

  async #ask(isGoingOn: () => boolean): Promise<void> {
    for (; isGoingOn(); await pause(betweenRequestsMs)) {
      const { status, body } = await this.#service.query('count(logs)')
      // One that had not ended when the engine came back is answered.
      if (isGoingOn()) this.answers.add(`${status} ${body.code}`)
      this.ready.add((await this.#service.call('GET', '/ready', { token: null })).status)
    }
  }
}
