/** All about alerts: rules and what is active, what happened, silences, and who is told. */

import { may } from '../app/session.ts'
import { buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { newRuleHref, shownTab, type Tab, tabHref, tabs } from './addresses.ts'
import { HistoryList } from './history-list.tsx'
import { ReceiverList } from './receiver-list.tsx'
import { RuleList } from './rule-list.tsx'
import { SilenceList } from './silence-list.tsx'

const tabTexts: Readonly<Record<Tab, string>> = {
  rules: 'Rules',
  history: 'History',
  silences: 'Silences',
  receivers: 'Receivers',
}

const views = {
  rules: RuleList,
  history: HistoryList,
  silences: SilenceList,
  receivers: ReceiverList,
} satisfies Record<Tab, () => unknown>

export function AlertsHome() {
  const tab = shownTab.value
  const View = views[tab]
  return (
    <>
      <header class="page-header line apart wraps">
        <h1>Alerts</h1>
        {may('editor') && (
          <a class={buttonClass({ kind: 'primary' })} href={newRuleHref()}>
            <Icon name="plus" />
            New rule
          </a>
        )}
      </header>
      <nav class="alert-tabs" aria-label="Alerts">
        {tabs.map(one => (
          <a
            key={one}
            class="alert-tab soft"
            href={tabHref(one)}
            aria-current={one === tab ? 'page' : undefined}
          >
            {tabTexts[one]}
          </a>
        ))}
      </nav>
      <View />
    </>
  )
}
