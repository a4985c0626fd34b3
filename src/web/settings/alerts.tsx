/** Settings > Alerts: whether rules are evaluated and people told, and who is told. */

import { tabHref } from '../alerts/addresses.ts'
import { ReceiverList } from '../alerts/receiver-list.tsx'
import { type AlertSummary, showSummary } from '../api/alerts.ts'
import { countText, plural } from '../format.ts'
import { useAskingAgain, useRequest } from '../state/request.ts'
import { ErrorState, Progress } from '../ui/states.tsx'
import { agoText } from './ago.ts'
import { Group, Stat } from './figures.tsx'
import { NotCurrent } from './not-current.tsx'

const refreshMs = 5_000

export function Alerts() {
  const found = useRequest('alerts', showSummary)
  useAskingAgain(found, refreshMs)
  const { answer, error, isBusy, refresh } = found
  return (
    <>
      <header class="page-header">
        <h1>Alerts</h1>
        {answer !== undefined && <NotCurrent error={error} />}
      </header>
      <Progress isBusy={isBusy && answer === undefined} text="Loading alerts" />
      {answer === undefined && error !== undefined && (
        <ErrorState error={error} onRetry={refresh} />
      )}
      {answer !== undefined && <Figures summary={answer} />}
      <section class="settings-receivers" aria-label="Receivers of alerts">
        <h2>Who is told</h2>
        <ReceiverList />
      </section>
    </>
  )
}

function Figures({ summary }: { readonly summary: AlertSummary }) {
  const { time, rules, failing, firing, pending, waiting, receivers, evaluatedAt } = summary
  return (
    <Group title="Rules and notices" actions={<a href={tabHref('rules')}>Rules and history</a>}>
      <Stat title="Rules" value={rules === 0 ? 'none' : countText(rules)}>
        {failing === 0
          ? 'that are on; each is asked again and again'
          : `${plural(failing, 'rule')} cannot be asked: the list of rules says why`}
      </Stat>
      <Stat
        title="Asked last"
        value={evaluatedAt === null ? 'not yet' : agoText(evaluatedAt, time)}
      >
        what was missed while the service was stopped is caught up with
      </Stat>
      <Stat title="Firing" value={firing === 0 ? 'nothing' : plural(firing, 'alert')}>
        {pending === 0 ? 'nothing is about to' : `${plural(pending, 'more alert')} may be soon`}
      </Stat>
      <Stat title="Not yet told" value={waiting === 0 ? 'nothing' : plural(waiting, 'notice')}>
        {waiting === 0
          ? `${plural(receivers, 'receiver')} may be told`
          : 'each is sent again and again for 24 hours; the history says what was given up'}
      </Stat>
    </Group>
  )
}
