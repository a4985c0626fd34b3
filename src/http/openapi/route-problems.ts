/**
 * Which problems a route may answer because of what it is: its access, its body, its path. Those of its
 * operation come on top.
 */

import type { ProblemCode } from '../../problems.ts'
import type { DescribedRoute } from '../route.ts'

const everywhere: readonly ProblemCode[] = ['head_invalid', 'internal', 'stopping']

const ofBodies: readonly ProblemCode[] = [
  'utf8_invalid',
  'encoding_broken',
  'body_too_large',
  'content_type',
  'content_encoding',
  'ingest_overloaded',
]

const ofJson: readonly ProblemCode[] = [
  ...ofBodies,
  'body_empty',
  'json_invalid',
  'json_too_deep',
  'field_invalid',
]

const ofStreamed: readonly ProblemCode[] = [
  'body_idle',
  'content_type',
  'content_encoding',
  'ingest_overloaded',
]

/** What every operation over records may answer. */
export const queryProblems: readonly ProblemCode[] = [
  'field_invalid',
  'query_syntax',
  'query_regex',
  'query_too_large',
  'query_ambiguous',
  'queries_overloaded',
  'query_timeout',
  'clickhouse_unreachable',
]

/** What every operation that changes the catalog may answer. */
export const changeProblems: readonly ProblemCode[] = ['catalog_failed', 'primary_unreachable']

/** All problems that `route` may answer, none twice. */
export function problemsOf(route: DescribedRoute): readonly ProblemCode[] {
  return [
    ...new Set([
      ...everywhere,
      ...accessProblems(route),
      ...bodyProblems(route),
      ...(route.path.includes('{') ? (['path_unknown'] as const) : []),
      ...(route.about.problems ?? []),
    ]),
  ]
}

function accessProblems({ access }: DescribedRoute): readonly ProblemCode[] {
  if (access === 'open') return []
  const unknown = [
    'credential_missing',
    'credential_invalid',
    'credential_failures_too_many',
  ] as const
  if (access === 'ingestion-token') return [...unknown, 'origin_not_allowed', 'browser_rate']
  return [...unknown, 'role_insufficient', 'cross_site']
}

function bodyProblems(route: DescribedRoute): readonly ProblemCode[] {
  if (route.body === 'none' || route.body === 'socket') return []
  if (route.body === 'streamed') return ofStreamed
  if (route.body === 'ingest' && route.contentTypes === undefined) {
    return ofJson.filter(code => code !== 'content_type')
  }
  if (route.body === 'form') return route.method === 'POST' ? ofBodies : []
  return ofJson
}
