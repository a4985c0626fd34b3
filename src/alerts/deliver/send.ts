/** One attempt to tell a receiver. */
import type { Receiver } from '../receivers/receiver.ts'
import { sendToAlertmanager } from './alertmanager.ts'
import { DeliveryFailed } from './delivery-failed.ts'
import { sendEmail } from './email.ts'
import type { AlertsNotice, Notice } from './notice.ts'
import type { SendContext } from './send-context.ts'
import { sendSlack } from './slack.ts'
import { sendWebhook } from './webhook.ts'

/** Throws DeliveryFailed, or what the connection throws. */
export async function send(
  { config }: Receiver,
  notice: Notice,
  context: SendContext,
): Promise<void> {
  if (config === undefined) {
    const why = 'its secrets cannot be read: secret.key is not the key that they were kept under'
    throw new DeliveryFailed(why)
  }
  if (config.kind === 'alertmanager') {
    return sendToAlertmanager(config.alertmanager, notice, context)
  }
  const { content } = notice
  if (content.kind !== 'alerts') return // Of silences only Alertmanagers are told.
  const ofAlerts: Notice & { readonly content: AlertsNotice } = { ...notice, content }
  if (config.kind === 'email') await sendEmail(config.email, ofAlerts, context)
  else if (config.kind === 'slack') await sendSlack(config.slack, ofAlerts, context)
  else await sendWebhook(config.webhook, ofAlerts, context)
}
