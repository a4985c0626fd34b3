/** The rules with how each stands, and above them the alerts that are active now. */

import { useState } from 'preact/hooks'
import {
  type AlertShown,
  listRules,
  listStates,
  type RuleShown,
  type StoredRule,
} from '../api/alerts.ts'
import { may } from '../app/session.ts'
import { QueryText } from '../query/query-text.tsx'
import { agoText } from '../settings/ago.ts'
import { useAskingAgain, useRequest } from '../state/request.ts'
import { clockText, fullText } from '../time/clock.ts'
import { durationWords } from '../time/range.ts'
import { zone } from '../time/zone.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Table } from '../ui/table.tsx'
import { historyHref, newRuleHref, ruleHref } from './addresses.ts'
import { alertColumns } from './alert-columns.tsx'
import { Listed } from './listed.tsx'
import { matchersOf } from './matchers.ts'
import { conditionText } from './rule-text.ts'
import { SilenceDialog } from './silence-dialog.tsx'
import { StateBadge } from './state-badge.tsx'

const refreshMs = 10_000

interface ListedRule {
  readonly rule: StoredRule
  readonly state: RuleShown | undefined
}

async function readRules(signal: AbortSignal): Promise<readonly ListedRule[]> {
  const [rules, states] = await Promise.all([listRules(signal), listStates(signal)])
  return rules.map(rule => ({ rule, state: states.find(({ ruleId }) => ruleId === rule.id) }))
}

export function RuleList() {
  const found = useRequest('rules', readRules)
  useAskingAgain(found, refreshMs)
  return (
    <Listed
      found={found}
      reading="Reading the rules"
      none={{
        title: 'No rules yet',
        text: 'A rule asks a query again and again, and tells people when its value meets a condition.',
        actions: may('editor') && (
          <a class={buttonClass({ kind: 'outline' })} href={newRuleHref()}>
            Make the first rule
          </a>
        ),
      }}
    >
      {rules => (
        <>
          <ActiveAlerts rules={rules} onSilenced={found.refresh} />
          <RuleTable rules={rules} />
        </>
      )}
    </Listed>
  )
}

interface ActiveAlert extends AlertShown {
  readonly rule: StoredRule
}

function ActiveAlerts({ rules, onSilenced }: { rules: readonly ListedRule[]; onSilenced(): void }) {
  const [silenced, setSilenced] = useState<ActiveAlert | undefined>(undefined)
  const active = rules
    .flatMap(({ rule, state }) => (state?.alerts ?? []).map(alert => ({ ...alert, rule })))
    .sort(
      (a, b) =>
        Number(b.state === 'firing') - Number(a.state === 'firing') || b.activeAt - a.activeAt,
    )
  if (active.length === 0) return <p class="soft">Nothing fires.</p>
  const now = Date.now()
  return (
    <section aria-label="Active alerts">
      <h2 class="alert-heading">Active now</h2>
      <Table
        label="Alerts that are active"
        isStacked
        rows={active}
        keyOf={({ labels }) => JSON.stringify(labels)}
        columns={[
          { title: 'Rule', cell: ({ rule }) => <a href={ruleHref(rule.id)}>{rule.name}</a> },
          {
            title: 'State',
            cell: ({ state, silenced: isSilenced }) => (
              <span>
                <StateBadge state={state} />
                {isSilenced && <span class="faint"> silenced</span>}
              </span>
            ),
          },
          ...alertColumns,
          {
            title: 'Since',
            cell: ({ activeAt }) => (
              <span title={fullText(activeAt, zone.value)}>{agoText(activeAt, now)}</span>
            ),
          },
        ]}
        actions={alert =>
          may('editor') && (
            <Button isSmall kind="outline" onClick={() => setSilenced(alert)}>
              Silence
            </Button>
          )
        }
      />
      {silenced && (
        <SilenceDialog
          matchers={matchersOf(silenced.labels)}
          onClose={() => setSilenced(undefined)}
          onMade={onSilenced}
        />
      )}
    </section>
  )
}

function RuleTable({ rules }: { readonly rules: readonly ListedRule[] }) {
  const now = Date.now()
  return (
    <section aria-label="All rules">
      <h2 class="alert-heading">Rules</h2>
      <Table
        label="Rules of alerts"
        isStacked
        rows={rules}
        keyOf={({ rule }) => rule.id}
        columns={[
          { title: 'Name', cell: ({ rule }) => <a href={ruleHref(rule.id)}>{rule.name}</a> },
          {
            title: 'State',
            cell: ({ state }) =>
              state && (
                <span title={state.error}>
                  <StateBadge state={state.health === 'err' ? 'failing' : state.state} />
                </span>
              ),
          },
          {
            title: 'Fires when',
            cell: ({ rule }) => (
              <span class="alert-condition">
                <QueryText text={rule.query} />
                <span>{conditionText(rule)}</span>
              </span>
            ),
          },
          { title: 'Looked at', cell: ({ state }) => <LookedAt state={state} now={now} /> },
        ]}
        actions={({ rule: { id, name } }) => (
          <a href={historyHref(id)} aria-label={`History of ${name}`}>
            History
          </a>
        )}
      />
    </section>
  )
}

/** Late by less than this is as good as in time, ms. */
const lateMsMin = 2_000

/** When, up to which time of the records, and how much later than was due. */
function LookedAt({ state, now }: { readonly state: RuleShown | undefined; readonly now: number }) {
  const { evaluatedAt, upTo, lateMs } = state ?? {}
  if (evaluatedAt == null || upTo == null) return <span class="faint">not yet</span>
  return (
    <span class="alert-looked" title={fullText(evaluatedAt, zone.value)}>
      {agoText(evaluatedAt, now)}
      <span class="faint">records to {clockText(upTo, zone.value, 's')}</span>
      {lateMs != null && lateMs >= lateMsMin && (
        <span class="tone-warn">{durationWords(Math.round(lateMs / 1_000) * 1_000)} late</span>
      )}
    </span>
  )
}
