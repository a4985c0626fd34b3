/** What Prometheus' clients ask for though the answer is always the same here, mostly an empty one. */

import { Type } from 'typebox'
import { jsonAnswer } from '../../openapi/operation.ts'
import type { DescribedRoute } from '../../route.ts'
import { buildInfo, buildInfoFields } from '../../schemas/build-info.ts'
import { successReply, successSchema } from './answers.ts'
import { optional, parametersOf } from './described.ts'
import { byGet, byGetAndPost } from './form-routes.ts'
import { metricName } from './metric-name.ts'

/** The API that we speak. Clients choose by it what they may ask: quoted label names need 3.0. */
const apiVersion = '3.0.0'

const emptyList = 'There are none here; Grafana asks nevertheless.'

const nothing = Type.Array(Type.Unknown(), { maxItems: 0 })

export const exemplarsRoutes: readonly DescribedRoute[] = byGetAndPost({
  path: '/api/v1/query_exemplars',
  about: {
    id: 'prometheusExemplars',
    tag: 'Prometheus',
    summary: 'No exemplars',
    description: emptyList,
    answers: { 200: jsonAnswer('None.', successSchema(nothing)) },
    sample: {},
  },
  handle: () => successReply([]),
})

const metadataAnswer = successSchema(
  Type.Record(
    Type.String(),
    Type.Array(Type.Object({ type: Type.String(), help: Type.String(), unit: Type.String() })),
  ),
)

export const metadataRoute: DescribedRoute = byGet({
  path: '/api/v1/metadata',
  about: {
    id: 'prometheusMetadata',
    tag: 'Prometheus',
    summary: 'What the metric is',
    parameters: parametersOf({ metric: optional }, { metric: 'Only this metric.' }),
    answers: { 200: jsonAnswer('The metric `logs`.', metadataAnswer) },
    sample: {},
  },
  handle({ parameters }) {
    const asked = parameters.get('metric') ?? ''
    const isShown = asked === '' || asked === metricName
    const about = { type: 'gauge', help: 'log records, by stream and level', unit: '' }
    return successReply(isShown ? { [metricName]: [about] } : {})
  },
})

const buildInfoAnswer = successSchema(
  Type.Object({ ...buildInfoFields, application: Type.Literal('logstrata') }),
)

export const buildInfoRoute: DescribedRoute = byGet({
  path: '/api/v1/status/buildinfo',
  about: {
    id: 'prometheusBuildInfo',
    tag: 'Prometheus',
    summary: 'Which API is spoken',
    answers: { 200: jsonAnswer('The version.', buildInfoAnswer) },
    sample: {},
  },
  handle: () => successReply({ ...buildInfo(apiVersion), application: 'logstrata' }),
})
