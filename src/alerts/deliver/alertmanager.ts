/**
 * Prometheus' Alertmanager, by its API v2. It knows an alert by its labels, and takes one for resolved
 * when nobody has said for a while that it fires: so that is said again every minute (`resendMs`), as
 * Prometheus does. Silences that are made here are made there.
 */
import type { AlertmanagerConfig } from '../receivers/receiver.ts'
import type { SilenceMatcher, StoredSilence } from '../silences.ts'
import { type AlertsNotice, linkOf, type Notice, type NoticedAlert, textOf } from './notice.ts'
import { type Posted, post } from './post.ts'
import type { SendContext } from './send-context.ts'

/** After so many times without a word an alert counts as resolved; as in Prometheus. */
const resendsMissed = 4

/** Throws as `post`. */
export async function sendToAlertmanager(
  config: AlertmanagerConfig,
  { content }: Pick<Notice, 'content'>,
  context: SendContext,
): Promise<void> {
  if (content.kind === 'alerts') await postAlerts(config, content, context)
  else if (content.kind === 'silence') await makeSilence(config, content.silence, context)
  else await endSilence(config, content.silence, context)
}

async function postAlerts(
  config: AlertmanagerConfig,
  content: AlertsNotice,
  context: SendContext,
): Promise<void> {
  const { publicUrl, now, resendMs } = context
  const endsAt = now() + resendsMissed * resendMs
  const alerts = latestOf(content).map(alert => ({
    labels: labelsOf(alert.labels),
    annotations: { summary: textOf(publicUrl, content, alert), query: content.rule.query },
    startsAt: new Date(alert.startsAt).toISOString(),
    endsAt: new Date(alert.endsAt ?? endsAt).toISOString(),
    generatorURL: linkOf(publicUrl, content, alert),
  }))
  await post(request(config, 'alerts', { body: JSON.stringify(alerts) }), context)
}

/** Of an alert that began and ended in one notice only the end. */
function latestOf({ alerts }: AlertsNotice): NoticedAlert[] {
  const byLabels = new Map(alerts.map(alert => [JSON.stringify(alert.labels), alert]))
  return [...byLabels.values()]
}

/** By what is written into its comment a silence is known again, however often it is made. */
const markOf = ({ id }: StoredSilence) => `[logstrata ${id}]`

async function makeSilence(
  config: AlertmanagerConfig,
  silence: StoredSilence,
  context: SendContext,
): Promise<void> {
  const { until, createdAt, by, comment } = silence
  if (until <= context.now()) return
  if ((await silencesOf(config, silence, context)).length > 0) return
  const body = JSON.stringify({
    matchers: silence.matchers.map(matcherOf),
    startsAt: new Date(createdAt).toISOString(),
    endsAt: new Date(until).toISOString(),
    createdBy: by,
    comment: `${comment} ${markOf(silence)}`.trim(),
  })
  await post(request(config, 'silences', { body }), context)
}

async function endSilence(
  config: AlertmanagerConfig,
  silence: StoredSilence,
  context: SendContext,
): Promise<void> {
  for (const id of await silencesOf(config, silence, context)) {
    await post(request(config, `silence/${encodeURIComponent(id)}`, { method: 'DELETE' }), context)
  }
}

/** The ids there of a silence that is not over. */
async function silencesOf(
  config: AlertmanagerConfig,
  silence: StoredSilence,
  context: SendContext,
): Promise<string[]> {
  const answer = JSON.parse(await post(request(config, 'silences', { method: 'GET' }), context))
  const mark = markOf(silence)
  return (answer as { id: string; comment: string; status: { state: string } }[])
    .filter(({ comment, status }) => comment.endsWith(mark) && status.state !== 'expired')
    .map(({ id }) => id)
}

function request(
  { url, user, password, token }: AlertmanagerConfig,
  path: string,
  more: Pick<Posted, 'method' | 'body'>,
): Posted {
  const basic = Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64')
  const isBasic = user !== undefined || password !== undefined
  const authorization =
    token !== undefined ? `Bearer ${token}` : isBasic ? `Basic ${basic}` : undefined
  return {
    url: `${url.replace(/\/+$/, '')}/api/v2/${path}`,
    headers: authorization === undefined ? {} : { authorization },
    ...more,
  }
}

/** Before 0.27 its labels are named as Prometheus' are: dots and all else become `_`. */
function nameOf(label: string): string {
  return label.replaceAll(/[^a-zA-Z0-9_]/g, '_').replace(/^(?=[0-9])/, '_')
}

function labelsOf(labels: NoticedAlert['labels']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [nameOf(name), value]))
}

function matcherOf({ label, operator, value }: SilenceMatcher) {
  const isRegex = operator.endsWith('~')
  return { name: nameOf(label), value, isRegex, isEqual: !operator.startsWith('!') }
}
