/** Queries over records: ask for them, look around among them, follow them, take them away. */

import type { DescribedRoute } from '../../route.ts'
import type { QueryDependencies } from './bounds.ts'
import { changesRoute } from './changes.ts'
import { contextRoute } from './context.ts'
import { explainRoute } from './explain.ts'
import { exportRoute } from './export.ts'
import { facetsRoute } from './facets.ts'
import { fieldsRoute } from './fields.ts'
import { histogramRoute } from './histogram.ts'
import { patternsRoute } from './patterns.ts'
import { selectRoute } from './select.ts'
import { tailRoute } from './tail.ts'
import { traceRoute } from './trace.ts'
import { valuesRoute } from './values.ts'

export function queryRoutes(dependencies: QueryDependencies): readonly DescribedRoute[] {
  return [
    selectRoute(dependencies),
    histogramRoute(dependencies),
    facetsRoute(dependencies),
    fieldsRoute(dependencies),
    valuesRoute(dependencies),
    patternsRoute(dependencies),
    changesRoute(dependencies),
    explainRoute(dependencies),
    contextRoute(dependencies),
    traceRoute(dependencies),
    tailRoute(dependencies),
    exportRoute(dependencies),
  ]
}
