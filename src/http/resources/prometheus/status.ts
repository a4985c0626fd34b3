/**
 * What Prometheus' clients ask of the server itself. There is nothing that is scraped, no other server
 * that is told of alerts, and no configuration in Prometheus' form; that is what these say.
 */

import { type TSchema, Type } from 'typebox'
import { jsonAnswer } from '../../openapi/operation.ts'
import type { DescribedRoute } from '../../route.ts'
import { successReply, successSchema } from './answers.ts'
import { optional, parametersOf } from './described.ts'
import { byGet } from './form-routes.ts'

const none = Type.Array(Type.Unknown(), { maxItems: 0 })
const noMembers = Type.Object({}, { additionalProperties: false })

interface Fixed {
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly data: unknown
  readonly schema: TSchema
  readonly parameters?: ReturnType<typeof parametersOf>
}

function fixedRoute({ path, id, summary, data, schema, parameters }: Fixed): DescribedRoute {
  return byGet({
    path: `/api/v1/${path}`,
    about: {
      id,
      tag: 'Prometheus',
      summary,
      ...(parameters && { parameters }),
      answers: { 200: jsonAnswer('Always the same.', successSchema(schema)) },
      sample: {},
    },
    handle: () => successReply(data),
  })
}

const changesNothing = 'Changes nothing here.'

const targetsRoute = fixedRoute({
  path: 'targets',
  id: 'prometheusTargets',
  summary: 'No targets: events are sent, not scraped',
  parameters: parametersOf(
    { state: optional, scrapePool: optional },
    { state: changesNothing, scrapePool: changesNothing },
  ),
  data: { activeTargets: [], droppedTargets: [], droppedTargetCounts: {} },
  schema: Type.Object({
    activeTargets: none,
    droppedTargets: none,
    droppedTargetCounts: noMembers,
  }),
})

const targetsMetadataRoute = fixedRoute({
  path: 'targets/metadata',
  id: 'prometheusTargetsMetadata',
  summary: 'No metadata of targets',
  parameters: parametersOf(
    { match_target: optional, metric: optional, limit: optional },
    { match_target: changesNothing, metric: changesNothing, limit: changesNothing },
  ),
  data: [],
  schema: none,
})

const alertmanagersRoute = fixedRoute({
  path: 'alertmanagers',
  id: 'prometheusAlertmanagers',
  summary: 'No alertmanagers',
  data: { activeAlertmanagers: [], droppedAlertmanagers: [] },
  schema: Type.Object({ activeAlertmanagers: none, droppedAlertmanagers: none }),
})

const configRoute = fixedRoute({
  path: 'status/config',
  id: 'prometheusConfig',
  summary: "No configuration in Prometheus' form",
  data: { yaml: '' },
  schema: Type.Object({ yaml: Type.Literal('') }),
})

const flagsRoute = fixedRoute({
  path: 'status/flags',
  id: 'prometheusFlags',
  summary: "No flags of Prometheus'",
  data: {},
  schema: noMembers,
})

export const statusRoutes: readonly DescribedRoute[] = [
  targetsRoute,
  targetsMetadataRoute,
  alertmanagersRoute,
  configRoute,
  flagsRoute,
]
