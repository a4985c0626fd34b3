/** The state of storage, for every API key. */

import type { HttpDependencies } from '../dependencies.ts'
import { jsonAnswer } from '../openapi/operation.ts'
import { jsonReply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'
import { storageSchema, storageStats } from './storage-stats.ts'

export function storageRoutes({
  store,
  diskUsage,
  metrics,
  health,
  retention,
  snapshots,
  copies,
}: Pick<
  HttpDependencies,
  'store' | 'diskUsage' | 'metrics' | 'health' | 'retention' | 'snapshots' | 'copies'
>): readonly DescribedRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/settings/storage',
      access: 'viewer',
      body: 'none',
      about: {
        id: 'showStorage',
        tag: 'Settings',
        summary: 'How storage stands',
        description: 'Size, retention, what has come in and what is waiting. For viewers too.',
        answers: { 200: jsonAnswer('The state at this moment.', storageSchema) },
        sample: {},
      },
      async handle() {
        const [totals, disk, reasons] = await Promise.all([
          metrics.totals(),
          diskUsage(),
          health.reasons(),
        ])
        const now = { time: Date.now(), store: store.stats(), reasons }
        const backups = {
          lastAt: snapshots.lastAt ?? null,
          catalogCopyAt: copies.newestAt() ?? null,
        }
        return jsonReply(
          storageStats({ ...now, disk, totals, backups, retention: retention.shown() }),
        )
      },
    },
  ]
}
