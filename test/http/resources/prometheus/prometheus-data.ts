/** Records whose figures are easily worked out, for the tests of Prometheus' API. */
import type { ServiceProcess } from '../../../service/service-process.ts'
import { serviceOfProcess } from '../../../service/shared-service.ts'

/** Unix seconds of the first record. */
export const startSeconds = 1_700_000_000

let known: Promise<ServiceProcess> | undefined

/** A service with these records alone, which tests of a process share. */
export function knownService(): Promise<ServiceProcess> {
  known ??= startKnown('known')
  return known
}

/**
 * Starts another, to which more may be sent. `name` is that of its directory.
 *
 * Of checkout/test one record a second, for a minute: every tenth an error, `duration_ms` the number
 * of the record and every seventh from the fourth on `slow`. Of search/prod one record every ten
 * seconds, without a duration.
 */
export async function startKnown(name: string): Promise<ServiceProcess> {
  const service = await serviceOfProcess(name)
  const at = (seconds: number) => startSeconds + seconds
  const checkout = Array.from({ length: 60 }, (_, i) => ({
    ts: at(i),
    level: i % 10 === 0 ? 'error' : 'info',
    message: `payment ${i}`,
    duration_ms: i % 7 === 3 ? 'slow' : i,
    http: { route: i % 2 === 0 ? '/a' : '/b' },
  }))
  const search = Array.from({ length: 6 }, (_, i) => ({ ts: at(10 * i), message: 'searched' }))
  await send(service, await service.makeToken('checkout', 'test'), checkout)
  await send(service, await service.makeToken('search', 'prod'), search)
  return service
}

async function send(service: ServiceProcess, token: string, events: object[]): Promise<void> {
  const path = '/api/v1/webhook/event/logs?timestamp_field=ts'
  const { body } = await service.call('POST', path, { token, body: events })
  if (body.accepted !== events.length) throw new Error(JSON.stringify(body))
}
