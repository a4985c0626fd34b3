/** Silences: make, list, end. */
import type { TProperties } from 'typebox'
import { silenceSchema, storedSilenceSchema } from '../../../alerts/silences.ts'
import { limits } from '../../../limits.ts'
import type { AlertsDoor } from '../../dependencies.ts'
import { bodyLike, described } from '../../openapi/operation.ts'
import { capture } from '../../openapi/samples.ts'
import type { DescribedRoute } from '../../route.ts'
import { deletionRoute, listRoute, saveRoute } from '../kept.ts'

const path = '/api/v1/alerts/silences'

const sample = bodyLike(silenceSchema, {
  matchers: [{ label: 'environment', operator: '=', value: 'dev' }],
  until: 4_102_444_800_000,
  comment: 'being set up anew',
})

export function silenceRoutes(alerts: AlertsDoor): readonly DescribedRoute[] {
  return [
    saveRoute({
      path,
      access: 'editor',
      id: 'saveAlertSilence',
      tag: 'Alerts',
      summary: 'Make a silence',
      description: `Alerts for which all matchers hold go on firing, and nobody is told; who still fires at the end is told
then. Alertmanagers are told of the alerts, and of the silence. At most ${limits.alertSilencesMax} at a time.`,
      body: described<TProperties>(
        silenceSchema,
        {
          matchers: 'Conditions on the labels of an alert; one must not hold of an empty value.',
          until: 'When it ends.',
          comment: 'Why.',
          by: 'Who made it; the name of the API key when absent.',
        },
        {
          'matchers[].label': 'A label; an alert without it has the empty value.',
          'matchers[].operator': 'As in a query: expressions are anchored at both ends.',
          'matchers[].value': 'A text, or an expression.',
        },
      ),
      answer: ['It holds.', storedSilenceSchema],
      problems: ['query_regex', 'alert_silences_too_many'],
      sample,
      save: (body, by) => alerts.saveSilence(body, by),
    }),
    listRoute({
      path,
      access: 'viewer',
      id: 'listAlertSilences',
      tag: 'Alerts',
      summary: 'List silences',
      answer: 'Those that are not over, the next to end first.',
      each: ['silences', storedSilenceSchema],
      list: () => alerts.silences(),
    }),
    deletionRoute({
      path,
      access: 'editor',
      id: 'endAlertSilence',
      tag: 'Alerts',
      summary: 'End a silence',
      pathParameters: { id: 'The `id` of the silence.' },
      problems: ['alert_silence_unknown'],
      sample: {
        before: [capture('SILENCE_ID', { from: path, body: sample, behind: '"id":' })],
        path: { id: '$SILENCE_ID' },
      },
      remove: id => alerts.endSilence(id),
    }),
  ]
}
