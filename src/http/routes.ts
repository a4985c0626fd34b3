/**
 * Every operation of the service. This table is the only source: what is not in it is answered 404. What
 * an operation is (method, path, who may, what body, its description and its handler) is in one place
 * of `resources/`.
 */

import type { HttpDependencies } from './dependencies.ts'
import { alertRoutes } from './resources/alerts/alerts.ts'
import { apiKeyRoutes } from './resources/api-keys.ts'
import { backupRoutes } from './resources/backup.ts'
import { dashboardRoutes } from './resources/dashboards.ts'
import { withDocumentation } from './resources/documentation.ts'
import { eventRoutes } from './resources/events/events.ts'
import { otlpRoutes } from './resources/events/otlp.ts'
import { feedRoutes, passedOn } from './resources/front-ends.ts'
import { healthRoutes } from './resources/health.ts'
import { ingestionTokenRoutes } from './resources/ingestion-tokens.ts'
import { lokiRoutes } from './resources/loki/loki.ts'
import { mcpRoute } from './resources/mcp/mcp.ts'
import { pageRoutes } from './resources/page.ts'
import { prometheusRoutes } from './resources/prometheus/prometheus.ts'
import { queryRoutes } from './resources/query/query.ts'
import { QueryRunner } from './resources/query/query-runner.ts'
import { retentionRoutes } from './resources/retention.ts'
import { savedQueryRoutes } from './resources/saved-queries.ts'
import { senderRoutes } from './resources/senders/senders.ts'
import { sessionRoutes } from './resources/session.ts'
import { storageRoutes } from './resources/storage.ts'
import type { DescribedRoute } from './route.ts'

/** All routes of the service, those of their documentation among them. */
export function createRoutes(dependencies: HttpDependencies): readonly DescribedRoute[] {
  const { config } = dependencies
  const runner = new QueryRunner({
    runningMax: config.concurrentQueriesMax,
    queueTimeoutMs: config.queryQueueTimeoutMs,
  })
  return withDocumentation([
    ...eventRoutes(dependencies),
    ...otlpRoutes(dependencies),
    ...senderRoutes(dependencies),
    ...queryRoutes({ ...dependencies, runner }),
    ...prometheusRoutes({ ...dependencies, runner }),
    ...lokiRoutes({ ...dependencies, runner }),
    mcpRoute({ ...dependencies, runner }),
    ...passedOn(
      [
        ...alertRoutes({ ...dependencies, runner }),
        ...savedQueryRoutes(dependencies),
        ...dashboardRoutes(dependencies),
        ...ingestionTokenRoutes(dependencies),
        ...apiKeyRoutes(dependencies),
        ...retentionRoutes(dependencies),
      ],
      dependencies.primary,
    ),
    ...feedRoutes(dependencies.feed),
    ...storageRoutes(dependencies),
    ...backupRoutes(dependencies),
    ...sessionRoutes(dependencies),
    ...healthRoutes(dependencies),
    ...pageRoutes(dependencies),
  ])
}
