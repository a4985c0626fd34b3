/** Alerts with stand-ins for what a test is not about. */
import type { Test } from 'tap'
import { Alerts, type AlertsOptions } from '../../src/alerts/alerts.ts'
import { Health } from '../../src/health.ts'
import { plainStore } from './plain-store.ts'
import { memoryShelf } from './shelf-in-memory.ts'

export const noMetrics = { noteEvaluation() {}, noteDelivery() {}, watch() {} }
export const noLogger = { warn() {} }
export const publicUrl = 'https://logs.example'

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

interface HereOptions extends Partial<AlertsOptions> {
  readonly networks?: readonly string[]
}

/** Alerts whose receivers are on this machine, and told again soon; closed with the test. */
export function alertsToHere(t: Test, { networks, ...options }: HereOptions = {}): Alerts {
  const alertPrivateNetworks = [...(networks ?? ['127.0.0.1'])]
  const alerts = alertsWith({
    patience: { againMs: 20, againMsMax: 50 },
    config: { queryTimeoutMs: 1_000, alertPrivateNetworks, publicUrl },
    ...options,
  })
  t.teardown(() => alerts.close())
  return alerts
}
