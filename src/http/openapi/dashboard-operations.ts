/** The document's words on dashboards. */

import { Type } from 'typebox'
import { dashboardSchema } from '../../catalog/dashboard-schema.ts'
import { limits } from '../../limits.ts'
import { dashboardAnswer, dashboardSummarySchema } from '../schemas/settings.ts'
import { bodyLike, described, jsonAnswer, noContentAnswer, type Operation } from './operation.ts'
import { changeProblems } from './route-problems.ts'

/** The catalog checks what stands inside by this very schema, and names fields from `dashboard` on. */
const updateSchema = Type.Object({ dashboard: dashboardSchema })

const sample = bodyLike(updateSchema, {
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

const version = { ETag: 'Its version: another for each that is stored, for `If-Match`.' }

const pathParameters = { id: 'The `metadata.id` of the dashboard.' }

export const dashboardOperations = {
  update: {
    id: 'updateDashboard',
    tag: 'Dashboards',
    summary: 'Create or replace a dashboard',
    description: `Without \`metadata.id\` a new id is made; a dashboard that has the id already is replaced as a
whole. Fields named here must have these types; all others are kept and given back as they were sent.
At most ${limits.dashboardBytesMax / 1024 ** 2} MiB, ${limits.dashboardDepthMax} levels deep.

A widget is \`{type, position, …}\` with what it shows under the key named as its type: \`group\`, \`markdown\`,
\`chart\`, \`stat\`, \`gauge\`, \`log\`.`,
    body: described(
      updateSchema,
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
    ),
    headers: {
      'If-Match':
        'The `ETag` of the version that was changed: it is stored only if nobody has stored another meanwhile. Left out, it replaces any.',
    },
    answers: {
      200: {
        ...jsonAnswer('It is stored.', Type.Object({ id: Type.String() }), { id: 'shop' }),
        headers: version,
      },
    },
    problems: ['dashboard_changed', ...changeProblems],
    sample: { body: sample },
  },

  list: {
    id: 'listDashboards',
    tag: 'Dashboards',
    summary: 'List dashboards',
    answers: {
      200: jsonAnswer(
        'All dashboards, by folder, then by title.',
        Type.Object({ dashboards: Type.Array(dashboardSummarySchema) }),
      ),
    },
    sample: {},
  },

  show: {
    id: 'showDashboard',
    tag: 'Dashboards',
    summary: 'Show a dashboard',
    description:
      'In the form in which it is sent, and in the very text: numbers keep all their digits.',
    pathParameters,
    answers: { 200: { ...jsonAnswer('The dashboard.', dashboardAnswer), headers: version } },
    problems: ['dashboard_unknown'],
    sample: { path: { id: 'shop' } },
  },

  remove: {
    id: 'deleteDashboard',
    tag: 'Dashboards',
    summary: 'Delete a dashboard',
    pathParameters,
    answers: { 204: noContentAnswer('It is gone.') },
    problems: ['dashboard_unknown', ...changeProblems],
    sample: { path: { id: 'shop' } },
  },
} as const satisfies Record<string, Operation>
