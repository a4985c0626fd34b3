/**
 * Kill -9 of service and engine in turn, in the middle of a load: whatever was acknowledged is found once, in
 * ClickHouse too when all of it is sent. The senders are outside of both. `npm run clickhouse-crash -- CYCLES`
 * runs it for as long as wanted, `shipping.test.ts` for a few cycles.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { EventsOracle, metric, metricBecomes } from '../faults/events-oracle.ts'
import { type ServiceProcess, startService } from '../service/service-process.ts'
import { startEngine } from './engine-process.ts'

export interface CrashReport {
  readonly acknowledged: number
  /** Rows of the table, and how many of them differ. */
  readonly rows: number
  readonly distinctRows: number
  /** Acknowledged and missing, doubled, or never sent: none of these may be. */
  readonly violations: readonly string[]
}

/** Where a service may end itself between two steps of sending; otherwise it is killed from outside. */
const points = ['ship:sent', 'ship:noted', 'ship:removed'] as const
const senderCount = 4
const eventsPerRequest = 10
/** Between two requests of a sender: what matters are the moments; all ids are compared again and again. */
const betweenRequestsMs = 40

/** Between two comparisons of all ids. */
const checkCycles = 20

/** How long a cycle's load goes on at most, ms; and until a point is reached, which is soon. */
const loadMsMax = 1_500
/** An engine that was killed meanwhile lets none be reached. */
const pointMsMax = 5_000

/** What is known after a cycle; `violations` of all ids so far where they were compared after it. */
export interface CycleReport {
  readonly cycle: number
  readonly acknowledged: number
  readonly violations: readonly string[] | undefined
}

/**
 * `directory` is empty. `onCycle` hears of each finished cycle. After every 20th all ids are compared, and
 * the loop ends with the first ones that are wrong.
 */
export async function crashLoop(
  directory: string,
  cycles: number,
  onCycle: (report: CycleReport) => void = () => {},
): Promise<CrashReport> {
  const engine = await startEngine(`${directory}/engine`)
  const flags = [
    ...['--store', 'clickhouse', '--clickhouse-url', `${engine.url}/default`],
    ...['--clickhouse-ship-after', '100ms', '--journal-file-bytes', '4KiB', '--scan-threads', '1'],
  ]
  const start = (point?: string) =>
    startService(`${directory}/data`, {
      flags,
      ...(point !== undefined && { environment: { CRASH_AT: point } }),
    })
  const oracle = new EventsOracle()
  let service: ServiceProcess | undefined
  try {
    let token = ''
    const violations: string[] = []
    for (let cycle = 0; cycle < cycles && violations.length === 0; cycle++) {
      // Each point, and as often no point: then it is killed anywhere.
      const point = points[cycle % (2 * points.length)]
      service = await start(point)
      token ||= await service.makeToken()
      if (cycle % 5 === 3) await engine.setFaults({ dies: 'after-insert' })
      if (cycle % 5 === 4) await engine.setFaults({ dies: 'before-insert' })
      await loadUntilKilled(service, oracle, token, {
        cycle,
        loadMs: point === undefined ? Math.random() * loadMsMax : pointMsMax,
      })
      await engine.kill()
      await engine.start()
      const isChecked = (cycle + 1) % checkCycles === 0
      if (isChecked) {
        service = await start()
        violations.push(...(await oracle.violations(service)))
        await service.end('SIGKILL')
      }
      onCycle({
        cycle: cycle + 1,
        acknowledged: oracle.acknowledged.size,
        violations: isChecked ? violations : undefined,
      })
    }
    service = await start()
    violations.push(...(await oracle.violations(service)))
    await allSent(service)
    violations.push(...(await oracle.violations(service)))
    const found = await engine.ask('SELECT count(), uniqExact(Sequence) FROM otel_logs')
    const [rows, distinctRows] = found.trim().split('\t').map(Number)
    const { size: acknowledged } = oracle.acknowledged
    return { acknowledged, rows: rows!, distinctRows: distinctRows!, violations }
  } finally {
    await service?.end('SIGKILL')
    await engine.kill()
  }
}

/** Sends until the service ends by itself, or for so long. */
async function loadUntilKilled(
  service: ServiceProcess,
  oracle: EventsOracle,
  token: string,
  { cycle, loadMs }: { readonly cycle: number; readonly loadMs: number },
): Promise<void> {
  const senders = Array.from({ length: senderCount }, async (_, sender) => {
    for (let i = 0; ; i++) {
      const ids = Array.from({ length: eventsPerRequest }, (_, n) => `${cycle}-${sender}-${i}-${n}`)
      await oracle.send(service, token, ids)
      await pause(betweenRequestsMs)
    }
  })
  const ended = Promise.allSettled(senders)
  const ownEnd = service.exit.catch(() => undefined)
  await Promise.race([ownEnd, pause(loadMs)])
  await service.end('SIGKILL').catch(() => undefined)
  await ended
}

/** For as long as it goes on. */
async function allSent(service: ServiceProcess): Promise<void> {
  const name = 'clickhouse_waiting_bytes'
  for (let left = await metric(service, name); left > 0; left = await metric(service, name)) {
    const before = left
    await metricBecomes(service, name, bytes => bytes < before)
  }
}
