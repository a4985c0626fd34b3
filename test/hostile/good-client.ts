/** A client that does as it should, and notes how long each of its requests took. */
import type { ServiceProcess } from '../service/service-process.ts'

/** Times of requests in ms, ascending. */
export interface GoodTimes {
  readonly ingest: readonly number[]
  readonly query: readonly number[]
}

/**
 * Sends one event after the other and, beside that, asks for one count after the other, for so long.
 * The counts are of records before `endTime`: of what was there before, all ask for the same.
 */
export async function goodClient(
  service: ServiceProcess,
  token: string,
  forMs: number,
  endTime = 8.64e15,
): Promise<GoodTimes> {
  const endAt = performance.now() + forMs
  const sent = { token, body: { message: 'from a good client' } }
  const [ingest, query] = await Promise.all([
    timesUntil(endAt, () => service.call('POST', '/api/v1/webhook/event/log', sent)),
    timesUntil(endAt, () => service.query('count(logs{log_level="info"})', { limit: 1, endTime })),
  ])
  return { ingest, query }
}

async function timesUntil(
  endAt: number,
  ask: () => Promise<{ readonly status: number }>,
): Promise<number[]> {
  const times: number[] = []
  while (performance.now() < endAt) {
    const startedAt = performance.now()
    const { status } = await ask()
    if (status !== 200) throw new Error(`a good request was answered ${status}`)
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)
}

/** The value below which `share` of the times are. */
export function percentile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}
