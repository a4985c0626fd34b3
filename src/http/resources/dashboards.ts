/** Dashboards: create or replace, list, show, delete. */

import { Type } from 'typebox'
import { dashboardSchema } from '../../catalog/dashboard-schema.ts'
import { dashboardSummarySchema } from '../../catalog/dashboards.ts'
import { limits } from '../../limits.ts'
import { checkBody } from '../../schema/check.ts'
import type { CatalogDoor, HttpDependencies } from '../dependencies.ts'
import { bodyLike, described, jsonAnswer } from '../openapi/operation.ts'
import { changeProblems } from '../openapi/route-problems.ts'
import { entityTag, wantedVersion } from '../reply/entity-tag.ts'
import { jsonReply } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'
import { deletionRoute, listRoute } from './kept.ts'

type Dashboards = CatalogDoor['dashboards']

/** What is inside is for the catalog to check. */
const updateSchema = Type.Object({ dashboard: Type.Unknown() })

/** The catalog checks what is inside by this very schema, and names fields from `dashboard` on. */
const wholeSchema = Type.Object({ dashboard: dashboardSchema })

const sample = bodyLike(wholeSchema, {
  dashboard: {
    metadata: { id: 'shop', title: 'Shop', folderPath: '/dashboards/default/' },
    settings: { defaultTimeRange: '1h' },
    content: {
      variables: [],
      widgets: [
        {
          type: 'stat',
          position: { type: 'absolute', absolute: { x: 0, y: 0, w: 3, h: 2 } },
          stat: {
            title: 'Errors',
            expression: { metoroQLQuery: 'count(logs{log_level="error"})' },
          },
        },
      ],
    },
  },
})

const describedBody = described(
  wholeSchema,
  { dashboard: 'The dashboard as a whole.' },
  {
    'dashboard.settings.hideGlobalEnvironmentSelector':
      'Whether the page hides its choice of an environment.',
    'dashboard.settings.defaultTimeRange': 'The time that the page shows at first, until now.',
    'dashboard.metadata.id': 'Made when absent.',
    'dashboard.metadata.title': 'What lists show; that of the content when absent.',
    'dashboard.metadata.folderPath': 'Where lists have it; `/dashboards/default/` when absent.',
    'dashboard.content.title': 'What stands above it.',
    'dashboard.content.variables': 'What the reader may choose.',
    'dashboard.content.variables[].name': 'In a query `$name`.',
    'dashboard.content.variables[].defaultValue': 'Its value at first.',
    'dashboard.content.variables[].overridable': 'Whether it may be changed; yes when absent.',
    'dashboard.content.variables[].selectorSettings': 'Where its values come from.',
    'dashboard.content.variables[].selectorSettings.metricName': 'The metric; `logs` here.',
    'dashboard.content.variables[].selectorSettings.attribute': 'Whose values are offered.',
    'dashboard.content.widgets': 'What it is made of.',
    'dashboard.settings': 'How it is shown.',
    'dashboard.metadata': 'What it is found by.',
    'dashboard.content': 'What it shows.',
  },
)

const versionHeader = { ETag: 'Its version: another for each that is stored, for `If-Match`.' }

function update(dashboards: Dashboards): DescribedRoute {
  return {
    method: 'POST',
    path: '/api/v1/dashboards/update',
    access: 'editor',
    body: 'json',
    about: {
      id: 'updateDashboard',
      tag: 'Dashboards',
      summary: 'Create or replace a dashboard',
      description: `Without \`metadata.id\` a new id is made; a dashboard that has the id already is replaced as a
whole. Fields named here must have these types; all others are kept and given back as they were sent.
At most ${limits.dashboardBytesMax / 1024 ** 2} MiB, ${limits.dashboardDepthMax} levels deep.

A widget is \`{type, position, …}\` with what it shows under the key named as its type: \`group\`, \`markdown\`,
\`chart\`, \`stat\`, \`gauge\`, \`log\`.`,
      body: describedBody,
      headers: {
        'If-Match':
          'The `ETag` of the version that was changed: it is stored only if nobody has stored another meanwhile. Left out, it replaces any.',
      },
      answers: {
        200: {
          ...jsonAnswer('It is stored.', Type.Object({ id: Type.String() }), { id: 'shop' }),
          headers: versionHeader,
        },
      },
      problems: ['dashboard_changed', ...changeProblems],
      sample: { body: sample },
    },
    async handle({ body, headers }) {
      const { dashboard } = checkBody(updateSchema, body)
      const { id, version } = await dashboards.put(dashboard, wantedVersion(headers.ifMatch))
      return { ...jsonReply({ id }), headers: [['ETag', entityTag(version)]] }
    },
  }
}

const pathParameters = { id: 'The `metadata.id` of the dashboard.' }

function show(dashboards: Dashboards): DescribedRoute {
  return {
    method: 'GET',
    path: '/api/v1/dashboards/{id}',
    access: 'viewer',
    body: 'none',
    about: {
      id: 'showDashboard',
      tag: 'Dashboards',
      summary: 'Show a dashboard',
      description:
        'In the form in which it is sent, and in the very text: numbers keep all their digits.',
      pathParameters,
      // In it every further field is kept and given back as it was sent.
      answers: { 200: { ...jsonAnswer('The dashboard.', wholeSchema), headers: versionHeader } },
      problems: ['dashboard_unknown'],
      sample: { path: { id: 'shop' } },
    },
    handle({ pathParameter }) {
      const { text, version } = dashboards.getStored(pathParameter('id'))
      const headers = [['ETag', entityTag(version)]] as const
      const body = `{"dashboard":${text}}`
      return { status: 200, contentType: 'application/json', body, headers }
    },
  }
}

export function dashboardRoutes({
  catalog: { dashboards },
}: Pick<HttpDependencies, 'catalog'>): readonly DescribedRoute[] {
  return [
    update(dashboards),
    listRoute({
      path: '/api/v1/dashboards',
      access: 'viewer',
      id: 'listDashboards',
      tag: 'Dashboards',
      summary: 'List dashboards',
      answer: 'All dashboards, by folder, then by title.',
      each: ['dashboards', dashboardSummarySchema],
      list: () => dashboards.list(),
    }),
    show(dashboards),
    deletionRoute({
      path: '/api/v1/dashboards',
      access: 'editor',
      id: 'deleteDashboard',
      tag: 'Dashboards',
      summary: 'Delete a dashboard',
      pathParameters,
      problems: ['dashboard_unknown'],
      sample: { path: { id: 'shop' } },
      remove: id => dashboards.delete(id),
    }),
  ]
}
