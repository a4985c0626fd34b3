/** Alerts with stand-ins for what a test is not about. */
import { Alerts, type AlertsOptions } from '../../src/alerts/alerts.ts'
import { Health } from '../../src/health.ts'
import { plainStore } from './plain-store.ts'
import { memoryShelf } from './shelf-in-memory.ts'

export const noMetrics = { noteEvaluation() {}, noteDelivery() {}, watch() {} }
export const noLogger = { warn() {} }

export function alertsWith(options: Partial<AlertsOptions> = {}): Alerts {
  return new Alerts({
    shelf: memoryShelf(),
    store: plainStore([]),
    config: { queryTimeoutMs: 1_000, alertPrivateNetworks: undefined, publicUrl: undefined },
    now: () => 1_000,
    logger: noLogger,
    metrics: noMetrics,
    health: new Health(),
    ...options,
  })
}
