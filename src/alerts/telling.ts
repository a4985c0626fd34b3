/**
 * Who is to be told what of an evaluation. People are told of what fires unless it is silenced, then
 * when the silence is over, and of the end of what they were told of. Alertmanagers are told
 * everything: silences are made there, too.
 */
import { type AlertsNotice, type NoticedAlert, textOf } from './deliver/notice.ts'
import type { NewNotice } from './deliver/notices.ts'
import type { Alert, Change } from './evaluate.ts'
import type { StoredRule } from './rule.ts'
import { labelsOf } from './shown-state.ts'

export interface Told {
  /** The alerts, with whom was told of them. */
  readonly alerts: readonly Alert[]
  readonly notices: readonly NewNotice[]
}

interface Audience {
  /** Ids of the rule's receivers that are there. */
  readonly people: readonly string[]
  readonly alertmanagers: readonly string[]
  isSilenced(labels: Readonly<Record<string, string>>): boolean
}

export function toldOf(
  rule: StoredRule,
  { alerts, changes }: { readonly alerts: readonly Alert[]; readonly changes: readonly Change[] },
  { people, alertmanagers, isSilenced }: Audience,
): Told {
  const forPeople: NoticedAlert[] = []
  const told = new Set(alerts.flatMap(({ key, isTold }) => (isTold ? [key] : [])))
  for (const change of changes) {
    const { key, isTold } = change.alert
    if (change.kind === 'resolved') {
      if (isTold || told.has(key)) forPeople.push(noticedOf(rule, change))
      told.delete(key)
    } else if (!isSilenced(labelsOf(rule, change.alert))) {
      forPeople.push(noticedOf(rule, change))
      told.add(key)
    }
  }
  const marked = alerts.map(alert => {
    if (alert.state !== 'firing' || alert.isTold) return alert
    if (told.has(alert.key)) return { ...alert, isTold: true as const }
    if (isSilenced(labelsOf(rule, alert))) return alert
    forPeople.push(firingOf(rule, alert))
    return { ...alert, isTold: true as const }
  })
  const count = firingCount(marked)
  const notice = (noticed: readonly NoticedAlert[], receivers: readonly string[]): NewNotice[] =>
    noticed.length === 0 ? [] : [{ content: noticeOf(rule, count, noticed), receivers }]
  const all = changes.map(change => noticedOf(rule, change))
  return {
    alerts: marked,
    notices: [...notice(forPeople, people), ...notice(all, alertmanagers)],
  }
}

/** All alerts of a rule that fire. */
export function firingNotice(rule: StoredRule, alerts: readonly Alert[]): AlertsNotice | undefined {
  const firing = alerts.filter(({ state }) => state === 'firing')
  if (firing.length === 0) return undefined
  return noticeOf(
    rule,
    firing.length,
    firing.map(alert => firingOf(rule, alert)),
  )
}

/** What people read of each alert of a rule as it stands now, in the words of its notices. */
export function messagesOf(
  publicUrl: string,
  rule: StoredRule,
  alerts: readonly Alert[],
): (alert: Alert) => string {
  const notice = noticeOf(rule, firingCount(alerts), [])
  return alert => textOf(publicUrl, notice, firingOf(rule, alert))
}

function firingCount(alerts: readonly Alert[]): number {
  return alerts.filter(({ state }) => state === 'firing').length
}

function noticeOf(rule: StoredRule, count: number, alerts: readonly NoticedAlert[]): AlertsNotice {
  const { id, name, query, message, windowMs, delayMs } = rule
  return { kind: 'alerts', rule: { id, name, query, message, windowMs, delayMs }, count, alerts }
}

function noticedOf(rule: StoredRule, { kind, at, alert }: Change): NoticedAlert {
  const firing = firingOf(rule, alert)
  return kind === 'fired' ? firing : { ...firing, status: 'resolved', endsAt: at }
}

function firingOf(rule: StoredRule, alert: Alert): NoticedAlert {
  const { value, firedAt, activeAt } = alert
  return {
    status: 'firing',
    labels: labelsOf(rule, alert),
    ...(value !== undefined && { value }),
    startsAt: firedAt ?? activeAt,
  }
}
