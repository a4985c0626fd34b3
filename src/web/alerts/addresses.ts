/** Addresses of the pages of alerts, and which part of them is shown. */

import { pathTo } from '../../http/page-paths.ts'
import { keepingEnvironment } from '../app/environment.tsx'
import { choiceParam, textParam } from '../state/param-kinds.ts'
import { urlParam } from '../state/url-param.ts'

export const tabs = ['rules', 'history', 'silences', 'receivers'] as const
export type Tab = (typeof tabs)[number]

export const shownTab = urlParam('tab', choiceParam(tabs))

/** Of a new rule: the query that it begins with. */
export const newQuery = urlParam('query', textParam())

/** Of the history: the id of a rule; empty for all of them. */
export const historyRule = urlParam('rule', textParam())

/** The id that stands for a rule that is not there yet. */
export const newRuleId = 'new'

export function tabHref(tab: Tab): string {
  return withParams(pathTo('alerts'), shownTab.change(tab))
}

export function ruleHref(id: string): string {
  return keepingEnvironment(pathTo('alertRule', id))
}

/** What happened to the alerts of a rule. */
export function historyHref(ruleId: string): string {
  const path = pathTo('alerts')
  return withParams(path, { ...shownTab.change('history'), ...historyRule.change(ruleId) })
}

/** A new rule about the values, or records, of a query. */
export function newRuleHref(query = ''): string {
  return withParams(pathTo('alertRule', newRuleId), newQuery.change(query))
}

function withParams(path: string, more: Readonly<Record<string, string | undefined>>): string {
  const url = new URL(keepingEnvironment(path), window.location.href)
  for (const [name, value] of Object.entries(more)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.pathname + url.search
}
