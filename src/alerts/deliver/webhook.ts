/**
 * A webhook of the receiver's own: JSON by POST, with the headers of Standard Webhooks
 * (https://www.standardwebhooks.com): `webhook-id`, the same for each attempt; `webhook-timestamp`,
 * seconds since 1970; and, under a secret, `webhook-signature`: `v1,` and the HMAC-SHA256, in base64,
 * of id, timestamp and body with dots between them.
 */
import { createHmac } from 'node:crypto'
import type { WebhookConfig } from '../receivers/receiver.ts'
import {
  type AlertsNotice,
  fingerprintOf,
  linkOf,
  type Notice,
  statusOf,
  textOf,
} from './notice.ts'
import { post } from './post.ts'
import type { SendContext } from './send-context.ts'

/** Throws as `post`. */
export async function sendWebhook(
  { url, headers = {}, secret }: WebhookConfig,
  notice: Notice & { readonly content: AlertsNotice },
  context: SendContext,
): Promise<void> {
  const { publicUrl, now } = context
  const body = JSON.stringify(bodyOf(notice, publicUrl))
  const timestamp = String(Math.floor(now() / 1000))
  const known = { 'webhook-id': notice.key, 'webhook-timestamp': timestamp }
  const signed = secret === undefined ? {} : signature(secret, `${notice.key}.${timestamp}.${body}`)
  await post({ url, headers: { ...headers, ...known, ...signed }, body }, context)
}

function bodyOf(
  { key, createdAt, content }: Notice & { content: AlertsNotice },
  publicUrl: string,
) {
  const { rule, count } = content
  return {
    id: key,
    createdAt,
    status: statusOf(content),
    rule: { id: rule.id, name: rule.name, query: rule.query },
    firingCount: count,
    alerts: content.alerts.map(alert => ({
      status: alert.status,
      fingerprint: fingerprintOf(alert.labels),
      labels: alert.labels,
      value: alert.value ?? null,
      startsAt: alert.startsAt,
      endsAt: alert.endsAt ?? null,
      message: textOf(publicUrl, content, alert),
      link: linkOf(publicUrl, content, alert),
    })),
  }
}

const encodedPrefix = 'whsec_'

/** A secret as Standard Webhooks writes it is base64 behind a prefix; any other is taken as it is. */
function signature(secret: string, text: string): Readonly<Record<string, string>> {
  const key = secret.startsWith(encodedPrefix)
    ? Buffer.from(secret.slice(encodedPrefix.length), 'base64')
    : Buffer.from(secret)
  const made = createHmac('sha256', key).update(text).digest('base64')
  return { 'webhook-signature': `v1,${made}` }
}
