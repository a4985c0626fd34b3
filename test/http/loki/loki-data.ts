/** Records beside those of Prometheus' tests whose entries are easily worked out. */
import type { ServiceProcess } from '../../service/service-process.ts'
import { startKnown, startSeconds } from '../resources/prometheus/prometheus-data.ts'

export { startSeconds }

/** Unix seconds of the millisecond that `loadFine` fills. */
export const fineSeconds = startSeconds + 1_000

/** Nanoseconds within it, in the order of arrival. */
export const fineNs = [900_000, 300_000, 500_000, 0, 100_000]

/** Starts a service with both. */
export async function serviceWithAll(): Promise<ServiceProcess> {
  const service = await startKnown('loki')
  const events = fineNs.map((ns, i) => ({
    ts: `${new Date(fineSeconds * 1000).toISOString().slice(0, -1)}${String(ns).padStart(6, '0')}Z`,
    level: 'info',
    message: `tick ${i}`,
    'a.b': 'dotted',
    a_b: 'own',
    service_name: 'of the sender',
    detected_level: 'of the sender',
  }))
  const token = await service.makeToken('clock', 'test')
  const path = '/api/v1/webhook/event/logs?timestamp_field=ts'
  const { body } = await service.call('POST', path, { token, body: events })
  if (body.accepted !== events.length) throw new Error(JSON.stringify(body))
  return service
}
