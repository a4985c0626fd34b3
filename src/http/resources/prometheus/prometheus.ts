/**
 * Prometheus' HTTP API over our language, so that what charts metrics charts logs: Grafana's stock
 * Prometheus data source, client libraries, scripts. The records are one metric, `logs`; each stream
 * and level is a series of it.
 */

import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import {
  alertsRoutes,
  buildInfoRoute,
  exemplarsRoutes,
  metadataRoute,
  rulesRoutes,
} from './fixed.ts'
import { labelsRoutes, labelValuesRoute, seriesRoutes } from './labels.ts'
import { instantRoutes, rangeRoutes } from './query.ts'
import { statusRoutes } from './status.ts'

export function prometheusRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return [
    ...instantRoutes(dependencies),
    ...rangeRoutes(dependencies),
    ...exemplarsRoutes,
    ...labelsRoutes(dependencies),
    labelValuesRoute(dependencies),
    ...seriesRoutes(dependencies),
    metadataRoute,
    ...rulesRoutes,
    ...alertsRoutes,
    buildInfoRoute,
    ...statusRoutes,
  ]
}
