/**
 * The 32 streams of the made records: 16 services in 2 environments. Each is sent under an
 * ingestion token of its own, because service and environment come from the token.
 */
import { commerceServices } from './templates/commerce.ts'
import { dataServices } from './templates/data.ts'
import { edgeServices } from './templates/edge.ts'
import { platformServices } from './templates/platform.ts'

export const services = [...edgeServices, ...commerceServices, ...dataServices, ...platformServices]
export const environments = ['production', 'staging'] as const
const productionShare = 0.8

export interface MadeStream {
  readonly service: string
  readonly environment: string
}

/** Stream number = service number × 2 + environment number; records name their stream by it. */
export const streams: readonly MadeStream[] = services.flatMap(({ service }) =>
  environments.map(environment => ({ service, environment })),
)

export const streamWeights: readonly number[] = services.flatMap(({ weight }) => [
  weight * productionShare,
  weight * (1 - productionShare),
])
