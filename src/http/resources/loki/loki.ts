/**
 * Loki's HTTP API over our records: Grafana's stock Loki data source, Logs Drilldown, logcli. What are
 * streams and what is metadata, and what differs from Loki, is in `README.md`.
 */

import type { HttpDependencies } from '../../dependencies.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { detectedFieldsRoutes, detectedFieldValuesRoutes } from './detected-fields.ts'
import { buildInfoRoute, drilldownLimitsRoute } from './fixed.ts'
import { formatQueryRoutes } from './format-query.ts'
import { indexStatsRoutes } from './index-stats.ts'
import { detectedLabelsRoutes, labelsRoutes, labelValuesRoutes, seriesRoutes } from './labels.ts'
import { patternsRoutes } from './patterns/patterns.ts'
import { queryRoutes } from './query.ts'
import { queryRangeRoutes } from './query-range.ts'
import { tailRoute } from './tail/tail.ts'
import { volumeRangeRoutes, volumeRoutes } from './volume/volume.ts'

export function lokiRoutes(
  dependencies: QueryDependencies & Pick<HttpDependencies, 'retention'>,
): readonly DescribedRoute[] {
  return [
    ...queryRoutes(dependencies),
    ...queryRangeRoutes(dependencies),
    ...labelsRoutes(dependencies),
    ...labelValuesRoutes(dependencies),
    ...seriesRoutes(dependencies),
    ...indexStatsRoutes(dependencies),
    ...volumeRoutes(dependencies),
    ...volumeRangeRoutes(dependencies),
    ...detectedLabelsRoutes(dependencies),
    ...detectedFieldsRoutes(dependencies),
    ...detectedFieldValuesRoutes(dependencies),
    ...patternsRoutes(dependencies),
    tailRoute(dependencies),
    ...formatQueryRoutes,
    buildInfoRoute,
    drilldownLimitsRoute(dependencies),
  ]
}
