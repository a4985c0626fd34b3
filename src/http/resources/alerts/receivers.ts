/** Receivers of alerts, for admins only: make or replace, list, try, delete. */
import { type TProperties, Type } from 'typebox'
import {
  receiverSchema,
  receiverShownSchema,
  testOutcomeSchema,
} from '../../../alerts/receivers/receiver.ts'
import { limits } from '../../../limits.ts'
import type { AlertsDoor } from '../../dependencies.ts'
import { bodyLike, described, jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { deletionRoute, listRoute, saveRoute } from '../kept.ts'

const path = '/api/v1/alerts/receivers'
const pathParameters = { id: 'The `id` of the receiver.' }

const sample = bodyLike(receiverSchema, {
  id: 'on-call',
  name: 'On call',
  kind: 'webhook',
  webhook: { url: 'https://example.com/alerts', secret: 'whsec_c2VjcmV0IG9mIHRoZSBleGFtcGxl' },
})

const body = described<TProperties>(
  receiverSchema,
  {
    id: 'Of the receiver that is replaced; one is made when absent.',
    name: 'What it is called.',
    kind: 'How it is told.',
    webhook: 'Of a webhook.',
    slack: 'Of an incoming webhook of Slack, or of one that takes the same.',
    email: 'Of people, by SMTP.',
    alertmanager: 'Of an Alertmanager; it is told by its API v2, of silences too.',
  },
  {
    'webhook.url': 'Where to.',
    'webhook.headers': 'Further headers, such as `Authorization`; a secret.',
    'webhook.secret': 'Signs what is sent; base64 behind `whsec_`, or any text.',
    'slack.url': 'Where to; a secret.',
    'email.host': 'The mail server.',
    'email.port': 'Mostly 587 with `starttls`, 465 with `tls`.',
    'email.tls':
      'TLS from the beginning, by STARTTLS, which must be offered then, or none. Certificates are checked.',
    'email.user': 'For servers that ask who sends.',
    'email.password': 'Of that user; a secret.',
    'email.from': 'Who it is from.',
    'email.to': 'Who it is for.',
    'alertmanager.url': 'Its address, without `/api/v2`.',
    'alertmanager.user': 'For `Basic` credentials.',
    'alertmanager.password': 'For `Basic` credentials; a secret.',
    'alertmanager.token': 'For `Bearer` credentials; a secret.',
  },
)

function test(alerts: AlertsDoor): DescribedRoute {
  return {
    method: 'POST',
    path: `${path}/{id}/test`,
    access: 'admin',
    body: 'json',
    about: {
      id: 'testAlertReceiver',
      tag: 'Alerts',
      summary: 'Try a receiver',
      description:
        'It is told once of an alert that is none, and that is resolved already. The body is `{}`.',
      pathParameters,
      body: { contents: jsonAnswer('', Type.Object({})).contents! },
      answers: { 200: jsonAnswer('How that went.', testOutcomeSchema) },
      problems: ['alert_receiver_unknown'],
      sample: { path: { id: 'on-call' }, body: {} },
    },
    handle: async ({ pathParameter }) => jsonReply(await alerts.testReceiver(pathParameter('id'))),
  }
}

export function receiverRoutes(alerts: AlertsDoor): readonly DescribedRoute[] {
  return [
    saveRoute({
      path,
      access: 'admin',
      id: 'saveAlertReceiver',
      tag: 'Alerts',
      summary: 'Make or replace a receiver',
      description: `How it is reached stands under the name of its kind. Secrets are kept encrypted and never shown again;
left out when a receiver is replaced, they stay as they are, if it is reached at the same place, and so does an address
that is sent as it was shown; an empty secret is none. At most ${limits.alertReceiversMax} receivers.

A **webhook** gets JSON by POST, with the headers of Standard Webhooks:
\`webhook-id\`, the same for each attempt; \`webhook-timestamp\`; and, under a secret, \`webhook-signature\`: \`v1,\` and
the HMAC-SHA256 in base64 of id, timestamp and body with dots between them. Any 2xx means that it has it.
Receivers at private addresses are refused when they are told, unless \`--alert-private-networks\` names them;
redirects are not followed.`,
      body,
      answer: ['It is saved.', receiverShownSchema],
      problems: ['alert_receivers_too_many'],
      sample,
      save: asked => alerts.saveReceiver(asked),
    }),
    listRoute({
      path,
      access: 'viewer',
      id: 'listAlertReceivers',
      tag: 'Alerts',
      summary: 'List receivers',
      answer: 'All of them, by name.',
      each: ['receivers', receiverShownSchema],
      list: () => alerts.receivers(),
    }),
    test(alerts),
    deletionRoute({
      path,
      access: 'admin',
      id: 'deleteAlertReceiver',
      tag: 'Alerts',
      summary: 'Delete a receiver',
      description: 'Rules do not name it any more, and what waits for it is not sent.',
      pathParameters,
      problems: ['alert_receiver_unknown'],
      sample: { path: { id: 'on-call' } },
      remove: id => alerts.deleteReceiver(id),
    }),
  ]
}
