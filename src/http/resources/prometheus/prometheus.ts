/**
 * Prometheus' HTTP API over our language, so that what charts metrics charts logs: Grafana's stock
 * Prometheus data source, client libraries, scripts. The records are one metric, `logs`; each stream
 * and level is a series of it.
 */

import type { HttpDependencies } from '../../dependencies.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { buildInfoRoute, exemplarsRoutes, metadataRoute } from './fixed.ts'
import { labelsRoutes, labelValuesRoute, seriesRoutes } from './labels.ts'
import { instantRoutes, rangeRoutes } from './query.ts'
import { rulerRoutes } from './rules.ts'
import { statusRoutes } from './status.ts'

export function prometheusRoutes(
  dependencies: QueryDependencies & Pick<HttpDependencies, 'alerts'>,
): readonly DescribedRoute[] {
  return [
    ...instantRoutes(dependencies),
    ...rangeRoutes(dependencies),
    ...exemplarsRoutes,
    ...labelsRoutes(dependencies),
    labelValuesRoute(dependencies),
    ...seriesRoutes(dependencies),
    metadataRoute,
    ...rulerRoutes(dependencies.alerts),
    buildInfoRoute,
    ...statusRoutes,
  ]
}
