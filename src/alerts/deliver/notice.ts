/** What receivers are told, once for all of them, as it is kept until each has it. */
import { createHash } from 'node:crypto'
import type { Timestamp } from '../../record.ts'
import { messageOf } from '../message.ts'
import type { StoredSilence } from '../silences.ts'

/** An alert that began or ended. */
export interface NoticedAlert {
  readonly status: 'firing' | 'resolved'
  /** Those of group and rule, and `alertname`. */
  readonly labels: Readonly<Record<string, string>>
  /** Absent when it is about there being none. */
  readonly value?: number
  readonly startsAt: Timestamp
  /** Absent while it fires. */
  readonly endsAt?: Timestamp
}

/** Of one evaluation of a rule. */
export interface AlertsNotice {
  readonly kind: 'alerts'
  readonly rule: {
    readonly id: string
    readonly name: string
    readonly query: string
    readonly message: string
    readonly windowMs: number
    readonly delayMs: number
  }
  /** Alerts of the rule that fire. */
  readonly count: number
  /** At least one. */
  readonly alerts: readonly NoticedAlert[]
}

/** For Alertmanagers: a silence that began, or was ended before its time. */
export interface SilenceNotice {
  readonly kind: 'silence' | 'silence-end'
  readonly silence: StoredSilence
}

export type NoticeContent = AlertsNotice | SilenceNotice

/** A value of the collection `alert-notices`, under its id, which is in order of time. */
export interface Notice {
  readonly id: string
  /** The same each time that it is sent, and of no other. */
  readonly key: string
  readonly createdAt: Timestamp
  readonly content: NoticeContent
  /** Ids of the receivers that do not have it yet. */
  readonly waiting: readonly string[]
}

/** Those of one subject reach a receiver one after the other. */
export function subjectOf({ content }: Pick<Notice, 'content'>): string {
  return content.kind === 'alerts' ? `rule ${content.rule.id}` : 'silences'
}

/** The address at which people see the records of an alert. */
export function linkOf(
  publicUrl: string,
  { rule: { query, windowMs, delayMs } }: AlertsNotice,
  { startsAt }: Pick<NoticedAlert, 'startsAt'>,
): string {
  const to = startsAt - delayMs
  const from = new Date(to - windowMs).toISOString()
  const asked = new URLSearchParams({ query, from, to: new Date(to).toISOString() })
  return `${publicUrl}/logs?${asked}`
}

/** What people read of one alert of a notice. */
export function textOf(publicUrl: string, notice: AlertsNotice, alert: NoticedAlert): string {
  const { rule, count } = notice
  const link = linkOf(publicUrl, notice, alert)
  const { labels, value } = alert
  return messageOf(rule.message, { name: rule.name, query: rule.query, count, labels, value, link })
}

/** The same for the same labels: by it receivers know an alert again. */
export function fingerprintOf(labels: Readonly<Record<string, string>>): string {
  const named = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(named)).digest('hex').slice(0, 16)
}

/** `firing` if any of them does. */
export function statusOf({ alerts }: AlertsNotice): NoticedAlert['status'] {
  return alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved'
}
