/**
 * Waits until a service has nothing left to do: all records are in segments, and these are compacted.
 * The service must have been started with `settlingFlags`.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { readCpuSeconds } from './child.ts'
import type { Client } from './client.ts'
import { readMetrics, type StoreMetrics } from './store-metrics.ts'

const intervalMs = 300
/** No figure tells of a compaction under way; but it takes a whole core. */
const idleCoresMax = 0.1
/** Intervals in a row without work: a single one may be spent waiting for the disk. */
const idleIntervals = 3
const settledWithinMs = 15 * 60_000
/** Beyond that; what was sent fast may wait for the sealer for so long. */
const perRecordMs = 0.06

/**
 * Flags of a service that is to come to rest: its last journal file is closed soon. Full files are
 * closed anyway, at the rates of the benchmarks about as soon as this.
 */
export function settlingFlags(isQuick: boolean): string[] {
  return ['--journal-file-age', isQuick ? '1s' : '5s']
}

/** Throws when it takes more than a quarter of an hour, and a minute for each million just sent. */
export async function settle(
  service: { readonly pid: number; readonly client: Client },
  recordsSent = 0,
): Promise<StoreMetrics> {
  const startedAt = performance.now()
  const withinMs = settledWithinMs + recordsSent * perRecordMs
  let idle = 0
  while (performance.now() - startedAt < withinMs) {
    const cpuBefore = readCpuSeconds(service.pid)
    await delay(intervalMs)
    const cores = (readCpuSeconds(service.pid) - cpuBefore) / (intervalMs / 1000)
    const figures = await readMetrics(service.client)
    const isSealed = figures.journalRecords === 0 && figures.unsealedFiles === 0
    idle = isSealed && cores < idleCoresMax ? idle + 1 : 0
    if (idle === idleIntervals) return figures
  }
  throw new Error(
    `the service has not come to rest within ${Math.round(withinMs / 60_000)} minutes`,
  )
}
