/** Rules of alerts, how they stand, what happened, silences, and who is told. */

import type { HistoryEntry } from '../../alerts/history.ts'
import type { Preview } from '../../alerts/preview.ts'
import type { ReceiverKind, ReceiverShown } from '../../alerts/receivers/receiver.ts'
import type { Rule, StoredRule } from '../../alerts/rule.ts'
import type { RuleShown } from '../../alerts/shown-state.ts'
import type { StoredSilence } from '../../alerts/silences.ts'
import type { AlertSummary } from '../../http/resources/alerts/summary.ts'
import { call, deleter, lister, reader, saver } from './client.ts'

export type * from '../../alerts/history.ts'
export type * from '../../alerts/preview.ts'
export type * from '../../alerts/receivers/receiver.ts'
export type * from '../../alerts/rule.ts'
export type * from '../../alerts/shown-state.ts'
export type * from '../../alerts/silences.ts'
export type { AlertSummary } from '../../http/resources/alerts/summary.ts'

const root = '/api/v1/alerts'
const at = (kind: string, id: string) => `${root}/${kind}/${encodeURIComponent(id)}`

export const listRules = lister<StoredRule>(`${root}/rules`, 'rules')

export function showRule(id: string, signal?: AbortSignal): Promise<StoredRule> {
  return call('GET', at('rules', id), { signal })
}

/** Replaces the one of its id; without one it is new. */
export const saveRule = saver<Rule & { readonly id?: string }, StoredRule>(`${root}/rules`)

export const deleteRule = deleter(`${root}/rules`)

/** What the rule would have done over the last day. */
export function previewRule(rule: Rule, signal?: AbortSignal): Promise<Preview> {
  return call('POST', `${root}/preview`, { body: { rule }, signal })
}

export const showSummary = reader<AlertSummary>(`${root}/summary`)

export const listStates = lister<RuleShown>(`${root}/states`, 'states')

/** The latest first. @param ruleId Only of this rule; empty for all of them. */
export function listHistory(
  limit: number,
  ruleId: string,
  signal?: AbortSignal,
): Promise<readonly HistoryEntry[]> {
  const asked = new URLSearchParams({ limit: String(limit), ...(ruleId !== '' && { ruleId }) })
  return lister<HistoryEntry>(`${root}/history?${asked}`, 'entries')(signal)
}

export const listSilences = lister<StoredSilence>(`${root}/silences`, 'silences')

export const saveSilence = saver<
  Pick<StoredSilence, 'matchers' | 'until' | 'comment'>,
  StoredSilence
>(`${root}/silences`)

export const endSilence = deleter(`${root}/silences`)

export const listReceivers = lister<ReceiverShown>(`${root}/receivers`, 'receivers')

/** How it is reached stands under the name of its kind. Secrets that are left out stay as they are. */
export const saveReceiver = saver<
  { readonly id?: string; readonly name: string; readonly kind: ReceiverKind },
  ReceiverShown
>(`${root}/receivers`)

export const deleteReceiver = deleter(`${root}/receivers`)

export function testReceiver(id: string): Promise<{ ok: boolean; error?: string }> {
  return call('POST', `${at('receivers', id)}/test`, { body: {} })
}
