/** What Loki's clients ask of the service itself: what it speaks, and what it bounds. */

import { Type } from 'typebox'
import { printDuration } from '../../../language/duration.ts'
import { limits } from '../../../limits.ts'
import type { HttpDependencies } from '../../dependencies.ts'
import { jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { buildInfo, buildInfoFields } from '../../schemas/build-info.ts'
import { byGet } from './form-routes.ts'

/** The API that we speak. Clients choose by it what they may ask: 3.x has structured metadata. */
const apiVersion = '3.5.0'

const buildInfoAnswer = Type.Object(buildInfoFields)

export const buildInfoRoute: DescribedRoute = byGet({
  path: 'status/buildinfo',
  about: {
    id: 'lokiBuildInfo',
    summary: 'Which API is spoken',
    answers: { 200: jsonAnswer('The version.', buildInfoAnswer) },
    sample: {},
  },
  handle: () => jsonReply(buildInfo(apiVersion)),
})

const limitsSchema = Type.Object(
  {
    discover_log_levels: Type.Boolean(),
    discover_service_name: Type.Array(Type.String()),
    log_level_fields: Type.Array(Type.String()),
    max_entries_limit_per_query: Type.Integer(),
    max_query_length: Type.String(),
    max_query_lookback: Type.String(),
    max_query_series: Type.Integer(),
    query_timeout: Type.String(),
    retention_period: Type.String(),
    volume_enabled: Type.Boolean(),
    volume_max_series: Type.Integer(),
  },
  { description: 'Under the names of Loki’s configuration; a time of 0s is none.' },
)

const drilldownAnswer = Type.Object({
  limits: limitsSchema,
  pattern_ingester_enabled: Type.Boolean(),
  version: Type.String(),
})

/** Logs Drilldown asks it at its start, to show what there is and no more. */
export function drilldownLimitsRoute({
  config,
  retention,
}: Pick<HttpDependencies, 'config' | 'retention'>): DescribedRoute {
  return byGet({
    path: 'drilldown-limits',
    about: {
      id: 'lokiDrilldownLimits',
      summary: 'What Logs Drilldown needs to know',
      answers: { 200: jsonAnswer('Bounds.', drilldownAnswer) },
      sample: {},
    },
    handle: () =>
      jsonReply({
        limits: {
          discover_log_levels: true,
          discover_service_name: [],
          log_level_fields: [],
          max_entries_limit_per_query: limits.lokiEntriesMax,
          max_query_length: '0s',
          max_query_lookback: '0s',
          max_query_series: limits.querySeriesMax,
          query_timeout: printDuration(config.queryTimeoutMs),
          retention_period: printDuration(retention.shown().ageMs ?? 0),
          volume_enabled: true,
          volume_max_series: limits.queryGroupsMax,
        },
        pattern_ingester_enabled: true,
        version: apiVersion,
      }),
  })
}
