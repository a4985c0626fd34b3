/** What happened to alerts, the latest first. */

import { useState } from 'preact/hooks'
import { type HistoryEntry, listHistory, listRules } from '../api/alerts.ts'
import { useRequest } from '../state/request.ts'
import { dateTimeText, fullText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/field.tsx'
import { Table } from '../ui/table.tsx'
import { historyRule, ruleHref } from './addresses.ts'
import { alertColumns } from './alert-columns.tsx'
import { Listed } from './listed.tsx'

const pageSize = 100

const kinds: Readonly<Record<HistoryEntry['kind'], string>> = {
  fired: 'fired',
  resolved: 'resolved',
  delivered: 'told',
  undelivered: 'not told',
}

export function HistoryList() {
  const ruleId = historyRule.value
  return (
    <>
      <RuleChoice ruleId={ruleId} />
      <Entries key={ruleId} ruleId={ruleId} />
    </>
  )
}

function RuleChoice({ ruleId }: { readonly ruleId: string }) {
  const rules = useRequest('rules of history', listRules).answer ?? []
  const isKnown = ruleId === '' || rules.some(({ id }) => id === ruleId)
  return (
    <div class="alert-choice">
      <SelectField
        label="Rule"
        value={ruleId}
        options={[
          { value: '', text: 'all rules' },
          ...rules.map(({ id, name }) => ({ value: id, text: name })),
          ...(isKnown ? [] : [{ value: ruleId, text: 'one that is gone' }]),
        ]}
        onChange={id => historyRule.set(id)}
      />
    </div>
  )
}

function Entries({ ruleId }: { readonly ruleId: string }) {
  const [pages, setPages] = useState(1)
  const found = useRequest(`history ${pages}`, signal =>
    listHistory(pages * pageSize, ruleId, signal),
  )
  return (
    <Listed
      found={found}
      reading="Reading the history"
      none={{
        title: 'Nothing has happened yet',
        text: 'Alerts that fire, and end, are listed here.',
      }}
    >
      {entries => (
        <>
          <Table
            label="What happened to alerts"
            isStacked
            rows={entries}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Time',
                cell: ({ at }) => (
                  <span title={fullText(at, zone.value)}>
                    {dateTimeText(at, zone.value).slice(0, 19)}
                  </span>
                ),
              },
              {
                title: 'Rule',
                cell: ({ ruleId, ruleName }) =>
                  ruleId === '' ? ruleName : <a href={ruleHref(ruleId)}>{ruleName}</a>,
              },
              { title: 'What', cell: entry => <What entry={entry} /> },
              ...alertColumns,
            ]}
          />
          {entries.length === pages * pageSize && (
            <p>
              <Button kind="outline" onClick={() => setPages(pages + 1)}>
                Show earlier ones
              </Button>
            </p>
          )}
        </>
      )}
    </Listed>
  )
}

function What({ entry: { kind, receiver, error } }: { readonly entry: HistoryEntry }) {
  const isBad = kind === 'fired' || kind === 'undelivered'
  return (
    <span class={isBad ? 'tone-bad' : ''} title={error}>
      {receiver === undefined ? kinds[kind] : `${receiver} ${kinds[kind]}`}
    </span>
  )
}
