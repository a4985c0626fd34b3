/** All operations on alerts. */
import type { HttpDependencies } from '../../dependencies.ts'
import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from '../query/bounds.ts'
import { historyRoute } from './history.ts'
import { previewRoute } from './preview.ts'
import { receiverRoutes } from './receivers.ts'
import { ruleRoutes } from './rules.ts'
import { silenceRoutes } from './silences.ts'
import { statesRoute } from './states.ts'
import { summaryRoute } from './summary.ts'

export function alertRoutes(
  dependencies: Pick<HttpDependencies, 'alerts'> & QueryDependencies,
): readonly DescribedRoute[] {
  const { alerts } = dependencies
  return [
    ...ruleRoutes(alerts),
    previewRoute(dependencies),
    statesRoute(alerts),
    summaryRoute(alerts),
    historyRoute(alerts),
    ...silenceRoutes(alerts),
    ...receiverRoutes(alerts),
  ]
}
