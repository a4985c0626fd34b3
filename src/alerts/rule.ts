/**
 * A rule: which query is asked how often, over which time, and which values of it are an alert. Every
 * group of the query is an alert of its own.
 */

import { type Static, Type } from 'typebox'
import { nameSchema, queryTextSchema } from '../catalog/names.ts'
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'
import { type Answer, timestamp } from '../schema/answer.ts'
import { checkBody } from '../schema/check.ts'
import { dayMs, secondMs } from '../time-units.ts'
import { checkMessage } from './message.ts'
import { countedOf, expressionOf } from './rule-query.ts'

export const ruleDefaults = {
  windowMs: 300 * secondMs,
  everyMs: 60 * secondMs,
  forMs: 0,
  /** Senders gather events before they send them: most are here after some seconds. */
  delayMs: 10 * secondMs,
  message: '{{name}}: {{value}}',
  noData: 'ok',
} as const

const operators = ['>', '>=', '<', '<=', '==', '!='] as const
const withoutData = ['ok', 'alert', 'keep'] as const

const span = (minimum: number, maximum: number) =>
  Type.Optional(
    Type.Integer({
      minimum,
      maximum,
      description: `whole milliseconds from ${minimum} to ${maximum}`,
    }),
  )

const conditionSchema = Type.Object({
  op: Type.Enum([...operators]),
  threshold: Type.Number(),
})

const withinMsMax = 90 * dayMs

const newPatternSchema = Type.Object({
  withinMs: Type.Integer({
    minimum: secondMs,
    maximum: withinMsMax,
    description: `whole milliseconds from ${secondMs} to ${withinMsMax}`,
  }),
})

const { alertLabelsMax, alertLabelLengthMax, nameLengthMax } = limits
const labelsSchema = Type.Record(
  Type.String({ pattern: `^[^]{1,${nameLengthMax}}$` }),
  Type.String({ maxLength: alertLabelLengthMax }),
  {
    maxProperties: alertLabelsMax,
    additionalProperties: false,
    description: `an object of at most ${alertLabelsMax} texts of at most ${alertLabelLengthMax} characters, by names of 1 to ${nameLengthMax}`,
  },
)

/** An id that people chose, or that was made: part of a path. */
export const idSchema = Type.String({
  pattern: '^[\\w.-]{1,128}$',
  description: '1 to 128 letters, digits, ".", "_" and "-"',
})

export const ruleSchema = Type.Object({
  id: Type.Optional(idSchema),
  name: nameSchema('what its alerts are called'),
  query: queryTextSchema,
  condition: Type.Optional(conditionSchema),
  newPattern: Type.Optional(newPatternSchema),
  windowMs: span(secondMs, 31 * dayMs),
  everyMs: span(secondMs, dayMs),
  forMs: span(0, 7 * dayMs),
  delayMs: span(0, dayMs),
  labels: Type.Optional(labelsSchema),
  message: Type.Optional(
    Type.String({
      maxLength: limits.alertMessageLengthMax,
      description: `a text of at most ${limits.alertMessageLengthMax} characters`,
    }),
  ),
  receivers: Type.Optional(
    Type.Array(idSchema, {
      maxItems: limits.alertRuleReceiversMax,
      uniqueItems: true,
      description: `at most ${limits.alertRuleReceiversMax} ids of receivers, none twice`,
    }),
  ),
  enabled: Type.Optional(Type.Boolean()),
  noData: Type.Optional(Type.Enum([...withoutData])),
})

export type Condition = Static<typeof conditionSchema>

/** What each of its fields means says `ruleMeanings` of the operations. */
export const storedRuleSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    query: Type.String(),
    condition: conditionSchema,
    newPattern: Type.Optional(newPatternSchema),
    windowMs: Type.Integer(),
    everyMs: Type.Integer(),
    forMs: Type.Integer(),
    delayMs: Type.Integer(),
    labels: Type.Record(Type.String(), Type.String()),
    message: Type.String(),
    receivers: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    noData: Type.Enum([...withoutData]),
    createdAt: timestamp,
    updatedAt: timestamp,
  },
  {
    $id: 'AlertRule',
    description: 'A rule, with everything that was left out when it was made.',
  },
)

/** A value of the collection `alert-rules`, under its id, has all but the id. */
export type StoredRule = Answer<typeof storedRuleSchema>

/** A rule as it is evaluated. */
export type Rule = Omit<StoredRule, 'id' | 'createdAt' | 'updatedAt'>

/**
 * The rule that a request describes, and the id that it names.
 * @param prefix Where it is in the request's body; empty for the body itself.
 * @throws ProblemError `field_invalid`, or as `parseQuery` for its query.
 */
export function readRule(request: unknown, prefix = ''): { id: string | undefined; rule: Rule } {
  const { id, ...asked } = checkBody(ruleSchema, request, prefix)
  const field = (name: string) => (prefix === '' ? name : `${prefix}.${name}`)
  const { newPattern } = asked
  if (asked.condition === undefined && newPattern === undefined) {
    const detail = `"${field('condition')}" is missing`
    throw new ProblemError('field_invalid', detail, { field: field('condition') })
  }
  const rule: Rule = {
    ...ruleDefaults,
    condition: { op: '>', threshold: 0 },
    labels: {},
    receivers: [],
    enabled: true,
    ...asked,
    name: asked.name.trim(),
  }
  if (newPattern === undefined) expressionOf(rule.query, field('query'))
  else countedOf(rule.query, field('query'))
  checkMessage(rule.message, field('message'))
  return { id, rule }
}

/** Whether alerts of the one are alerts of the other: what they are about is the same. */
export function isSameSubject(one: Rule, other: Rule): boolean {
  const subject = ({ query, condition: { op, threshold }, newPattern, ...rule }: Rule) =>
    JSON.stringify([
      query,
      op,
      threshold,
      newPattern?.withinMs,
      rule.windowMs,
      rule.name,
      rule.labels,
    ])
  return subject(one) === subject(other)
}
