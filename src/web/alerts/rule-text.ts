/** A rule as a form has it, in texts; and rules and previews in words. */

import { parseDuration, printDuration } from '../../language/duration.ts'
import type { Preview, Rule } from '../api/alerts.ts'
import { numberText } from '../format.ts'
import { durationWords } from '../time/range.ts'

export type Subject = 'value' | 'newPattern'

/** What is typed, each as a text. */
export interface RuleDraft {
  readonly name: string
  readonly query: string
  /** What fires: a value of the query, or kinds of messages that are new among its records. */
  readonly subject: Subject
  /** Of new kinds: for how long none of theirs came before. */
  readonly within: string
  readonly op: Rule['condition']['op']
  readonly threshold: string
  readonly window: string
  readonly every: string
  readonly for: string
  readonly delay: string
  /** `severity=page, team=core` */
  readonly labels: string
  readonly message: string
  readonly receivers: readonly string[]
  readonly isEnabled: boolean
  readonly noData: Rule['noData']
}

export const newDraft: RuleDraft = {
  name: '',
  query: 'logs{log_level="error"}',
  subject: 'value',
  within: '7d',
  op: '>',
  threshold: '10',
  window: '5m',
  every: '1m',
  for: '0s',
  delay: '10s',
  labels: '',
  message: '{{name}}: {{value}}',
  receivers: [],
  isEnabled: true,
  noData: 'ok',
}

const spanText = (ms: number) => (ms === 0 ? '0s' : printDuration(ms))

export function draftOf(rule: Rule): RuleDraft {
  return {
    name: rule.name,
    query: rule.query,
    subject: rule.newPattern === undefined ? 'value' : 'newPattern',
    within: rule.newPattern === undefined ? newDraft.within : spanText(rule.newPattern.withinMs),
    op: rule.condition.op,
    threshold: String(rule.condition.threshold),
    window: spanText(rule.windowMs),
    every: spanText(rule.everyMs),
    for: spanText(rule.forMs),
    delay: spanText(rule.delayMs),
    labels: labelsLine(rule.labels),
    message: rule.message,
    receivers: rule.receivers,
    isEnabled: rule.enabled,
    noData: rule.noData,
  }
}

export type DraftFaults = Partial<Record<keyof RuleDraft, string>>

/** The rule, or what is wrong with its texts; the service looks closer. */
export function ruleOf(draft: RuleDraft): { rule: Rule } | { faults: DraftFaults } {
  const faults: { -readonly [K in keyof RuleDraft]?: string } = {}
  const span = (name: 'within' | 'window' | 'every' | 'for' | 'delay') => {
    const text = draft[name].trim()
    const ms = /^0[a-z]*$/.test(text) ? 0 : parseDuration(text)
    if (ms === undefined) faults[name] = 'write a duration such as 5m or 1h30m'
    return ms ?? 0
  }
  const threshold = Number(draft.threshold)
  if (draft.threshold.trim() === '' || !Number.isFinite(threshold)) {
    faults.threshold = 'write a number'
  }
  const labels = readLabels(draft.labels)
  if (labels === undefined) faults.labels = 'write them as severity=page, team=core'
  const rule: Rule = {
    name: draft.name.trim(),
    query: draft.query,
    condition: { op: draft.op, threshold },
    ...(draft.subject === 'newPattern' && { newPattern: { withinMs: span('within') } }),
    windowMs: span('window'),
    everyMs: span('every'),
    forMs: span('for'),
    delayMs: span('delay'),
    labels: labels ?? {},
    message: draft.message,
    receivers: draft.receivers,
    enabled: draft.isEnabled,
    noData: draft.noData,
  }
  return Object.keys(faults).length === 0 ? { rule } : { faults }
}

/** Undefined where a part is no `name=value`. */
function readLabels(text: string): Readonly<Record<string, string>> | undefined {
  const parts = text.split(',').filter(part => part.trim() !== '')
  const pairs = parts.map(part => /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(part))
  if (pairs.some(pair => pair === null)) return undefined
  return Object.fromEntries(pairs.map(pair => [pair![1]!, pair![2]!]))
}

export function labelsLine(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}

/** `> 10 within 5 m, for 1 m`; of new kinds of messages `new kinds, none for 7 d: > 0 within 5 m` */
export function conditionText({ condition, newPattern, windowMs, forMs }: Rule): string {
  const subject =
    newPattern === undefined ? '' : `new kinds, none for ${durationWords(newPattern.withinMs)}: `
  const lasting = forMs === 0 ? '' : `, for ${durationWords(forMs)}`
  const value = `${condition.op} ${numberText(condition.threshold)}`
  return `${subject}${value} within ${durationWords(windowMs)}${lasting}`
}

/** `Would have fired 3 times in the last 1 d` */
export function previewText({ fired, startTime, endTime, everyMs }: Preview): string {
  const times =
    fired === 0 ? 'not have fired' : fired === 1 ? 'have fired once' : `have fired ${fired} times`
  return `Would ${times} in the last ${durationWords(endTime - startTime + everyMs)}`
}
