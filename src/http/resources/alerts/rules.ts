/** Rules of alerts: make or replace, list, show, delete. */
import type { TProperties } from 'typebox'
import { ruleDefaults, ruleSchema, storedRuleSchema } from '../../../alerts/rule.ts'
import { limits } from '../../../limits.ts'
import type { AlertsDoor } from '../../dependencies.ts'
import { bodyLike, described, jsonAnswer } from '../../openapi/operation.ts'
import { jsonReply } from '../../reply/reply.ts'
import type { DescribedRoute } from '../../route.ts'
import { deletionRoute, listRoute, saveRoute } from '../kept.ts'

const path = '/api/v1/alerts/rules'
const pathParameters = { id: 'The `id` of the rule.' }

export const sampleRule = bodyLike(ruleSchema, {
  id: 'checkout-errors',
  name: 'Errors of checkout',
  query: 'count by (environment) (logs{service.name="checkout", log_level="error"})',
  condition: { op: '>', threshold: 10 },
  windowMs: 300_000,
  forMs: 60_000,
  labels: { severity: 'page' },
  message: '{{value}} errors in 5 minutes in {{labels.environment}}: {{link}}',
})

const { windowMs, everyMs, delayMs } = ruleDefaults

/** What each field of a rule means. */
const ruleMeanings: { readonly [K in keyof typeof ruleSchema.properties]: string } = {
  id: 'Of the rule that is replaced; one is made when absent.',
  name: 'What its alerts are called: their label `alertname`.',
  query:
    'What is asked: an expression, of which each group is an alert of its own, or a selector, whose records are counted. Without `| distinct`.',
  condition: 'Which values are an alert; `> 0` when absent in a rule about new patterns.',
  newPattern:
    'It is about kinds of messages: each pattern of the window of which no message came in the time before it is an alert, with the labels `pattern` (its id) and `pattern_text`. The query is a selector then, or a count.',
  windowMs: `How far back records count; ${windowMs} when absent. A range in the query stays its own.`,
  everyMs: `From one evaluation to the next, at whole multiples since 1970; ${everyMs} when absent.`,
  forMs: 'How long the condition must hold before an alert fires; 0 when absent: at once.',
  delayMs: `How long before an evaluation its window ends, so that events that come late are there; ${delayMs} when absent.`,
  labels: 'Labels for its alerts, beside those of the groups; they are stronger than these.',
  message:
    'What people are told of an alert: `{{name}}`, `{{value}}`, `{{count}}` (alerts of the rule that fire), `{{query}}`, `{{link}}` and `{{labels.NAME}}` stand for what they say.',
  receivers: 'Ids of those that are told; nobody when absent.',
  enabled: 'Whether it is evaluated; yes when absent.',
  noData:
    'What an alert does while its group, or the whole query, has no value: it ends (`ok`, when absent), stays as it is (`keep`), or fires when there is no value at all (`alert`). A count of nothing that groups by nothing is the value 0.',
}

/** Those of fields further inside of what stands at `prefix`. */
export const insideRule = (prefix: string): Readonly<Record<string, string>> => ({
  [`${prefix}condition.op`]: 'How the value is compared.',
  [`${prefix}condition.threshold`]: 'With what.',
  [`${prefix}newPattern.withinMs`]: 'How long that time is.',
})

/** Of a body in which the rule stands under `prefix`. */
export const ruleMeaningsAt = (prefix: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(ruleMeanings).map(([name, meaning]) => [`${prefix}${name}`, meaning]),
  ),
  ...insideRule(prefix),
})

/** What a rule may be refused for. */
export const ruleProblems = ['query_syntax', 'query_regex', 'query_too_large'] as const

function show(alerts: AlertsDoor): DescribedRoute {
  return {
    method: 'GET',
    path: `${path}/{id}`,
    access: 'viewer',
    body: 'none',
    about: {
      id: 'showAlertRule',
      tag: 'Alerts',
      summary: 'Show a rule',
      pathParameters,
      answers: { 200: jsonAnswer('The rule.', storedRuleSchema) },
      problems: ['alert_rule_unknown'],
      sample: { path: { id: 'checkout-errors' } },
    },
    handle: ({ pathParameter }) => jsonReply(alerts.rule(pathParameter('id'))),
  }
}

export function ruleRoutes(alerts: AlertsDoor): readonly DescribedRoute[] {
  return [
    saveRoute({
      path,
      access: 'editor',
      id: 'saveAlertRule',
      tag: 'Alerts',
      summary: 'Make or replace a rule',
      description: `A rule that has the \`id\` already is replaced as a whole; its alerts go on when name, query, condition,
window and labels are the same, and end when they are not. At most ${limits.alertRulesMax} rules, each with
${limits.alertsPerRuleMax} alerts at once.`,
      body: described<TProperties>(ruleSchema, ruleMeanings, insideRule('')),
      answer: ['It is saved, and evaluated from now on.', storedRuleSchema],
      problems: [...ruleProblems, 'alert_rules_too_many'],
      sample: sampleRule,
      save: body => alerts.saveRule(body),
    }),
    listRoute({
      path,
      access: 'viewer',
      id: 'listAlertRules',
      tag: 'Alerts',
      summary: 'List rules',
      answer: 'All of them, by name.',
      each: ['rules', storedRuleSchema],
      list: () => alerts.rules(),
    }),
    show(alerts),
    deletionRoute({
      path,
      access: 'editor',
      id: 'deleteAlertRule',
      tag: 'Alerts',
      summary: 'Delete a rule',
      description: 'What fires of it is resolved.',
      pathParameters,
      problems: ['alert_rule_unknown'],
      sample: { path: { id: 'checkout-errors' } },
      remove: id => alerts.deleteRule(id),
    }),
  ]
}
