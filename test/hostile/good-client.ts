/** A client that does as it should, and notes how long each of its requests took. */
import type { ServiceProcess } from '../service/service-process.ts'

/** Sends an event and asks for a count, in turn, for so long. Resolves to times in ms, ascending. */
export async function goodClient(
  service: ServiceProcess,
  token: string,
  forMs: number,
): Promise<number[]> {
  const times: number[] = []
  const endAt = performance.now() + forMs
  while (performance.now() < endAt) {
    const sent = { token, body: { message: 'from a good client' } }
    for (const ask of [
      () => service.call('POST', '/api/v1/webhook/event/log', sent),
      () => service.query('count(logs{log_level="info"})', { limit: 1 }),
    ]) {
      const startedAt = performance.now()
      const { status } = await ask()
      if (status !== 200) throw new Error(`a good request was answered ${status}`)
      times.push(performance.now() - startedAt)
    }
  }
  return times.sort((a, b) => a - b)
}

/** The value below which `share` of the times are. */
export function percentile(times: readonly number[], share: number): number {
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}
