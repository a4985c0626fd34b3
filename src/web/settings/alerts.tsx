/** Settings > Alerts: whether rules are evaluated and people told, and who is told. */

import { pathTo } from '../../http/page-paths.ts'
import { ReceiverList } from '../alerts/receiver-list.tsx'
import { type AlertSummary, showSummary } from '../api/alerts.ts'
import { keepingEnvironment } from '../app/environment.tsx'
import { countText, plural } from '../format.ts'
import { useAskingAgain, useRequest } from '../state/request.ts'
import { agoText } from './ago.ts'
import { Group, Stat } from './figures.tsx'
import { SectionHead } from './section-head.tsx'

const refreshMs = 5_000

export function Alerts() {
  const found = useRequest('alerts', showSummary)
  useAskingAgain(found, refreshMs)
  return (
    <>
      <SectionHead title="Alerts" reading="Loading alerts" found={found} />
      {found.answer !== undefined && <Figures summary={found.answer} />}
      <section class="settings-receivers">
        <h2>Who is told</h2>
        <ReceiverList />
      </section>
    </>
  )
}

function Figures({ summary }: { readonly summary: AlertSummary }) {
  const { time, rules, failing, firing, pending, waiting, evaluatedAt } = summary
  return (
    <Group
      title="Rules and notices"
      actions={<a href={keepingEnvironment(pathTo('alerts'))}>Rules and history</a>}
    >
      <Stat title="Rules" value={rules === 0 ? 'none' : countText(rules)}>
        {failing === 0
          ? 'that are on'
          : `${plural(failing, 'rule')} cannot be asked: their list says why`}
      </Stat>
      <Stat
        title="Asked last"
        value={evaluatedAt === null ? 'not yet' : agoText(evaluatedAt, time)}
      >
        what a stop made miss is made up for
      </Stat>
      <Stat title="Firing" value={firing === 0 ? 'nothing' : plural(firing, 'alert')}>
        {pending === 0 ? 'nothing is about to' : `${plural(pending, 'more alert')} may be soon`}
      </Stat>
      <Stat title="Not yet told" value={waiting === 0 ? 'nothing' : plural(waiting, 'notice')}>
        {waiting === 0
          ? 'receivers have all notices'
          : 'sent again for 24 hours; the history says what was given up'}
      </Stat>
    </Group>
  )
}
