/** A notice as people read it: a line that says it all, and one for each alert. */
import { type AlertsNotice, linkOf, type NoticedAlert, statusOf, textOf } from './notice.ts'

/** Alerts that are named; of more there is only how many. */
const namedMax = 20

/** Such as `[firing: 2] Errors of checkout`. */
export function subjectLine(notice: AlertsNotice): string {
  const status = statusOf(notice)
  const count = notice.alerts.filter(alert => alert.status === status).length
  const name = notice.rule.name.replaceAll(/[\r\n]+/g, ' ')
  return `[${status}${count > 1 ? `: ${count}` : ''}] ${name}`
}

export interface NamedAlert {
  readonly status: NoticedAlert['status']
  readonly text: string
  /** Such as `environment=prod, host=a`. */
  readonly labels: string
  readonly link: string
}

export function namedAlerts(
  publicUrl: string,
  notice: AlertsNotice,
): { readonly named: readonly NamedAlert[]; readonly leftCount: number } {
  const named = notice.alerts.slice(0, namedMax).map(alert => ({
    status: alert.status,
    text: textOf(publicUrl, notice, alert),
    labels: labelsText(alert.labels),
    link: linkOf(publicUrl, notice, alert),
  }))
  return { named, leftCount: notice.alerts.length - named.length }
}

function labelsText(labels: NoticedAlert['labels']): string {
  return Object.entries(labels)
    .filter(([name]) => name !== 'alertname')
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}
