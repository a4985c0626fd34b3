/** How many alerts a rule may have at once: they are in memory, on disk, and in what people are sent. */
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import type { Alert } from './evaluate.ts'

/** @throws ProblemError `query_too_large`. */
export function checkAlerts(alerts: readonly Alert[]): void {
  const { alertsPerRuleMax, alertsLengthMax } = limits
  let length = 0
  for (const { key } of alerts) length += key.length
  if (alerts.length <= alertsPerRuleMax && length <= alertsLengthMax) return
  const what = `more than ${alertsPerRuleMax} alerts at once, or more than ${alertsLengthMax} characters of their labels`
  const detail = `the rule has ${what}: group by less, or take another threshold`
  throw new ProblemError('query_too_large', detail, { field: 'query' })
}
