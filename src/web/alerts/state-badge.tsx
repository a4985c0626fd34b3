/** How a rule or an alert stands, as a word with its colour. */

import type { RuleShown } from '../api/alerts.ts'

type State = RuleShown['state'] | 'failing'

const shown: Readonly<Record<State, readonly [word: string, tone: string]>> = {
  firing: ['Firing', 'tone-bad'],
  pending: ['Pending', 'tone-warn'],
  inactive: ['Quiet', 'tone-good'],
  disabled: ['Off', ''],
  failing: ['Failing', 'tone-bad'],
}

export function StateBadge({ state }: { readonly state: State }) {
  const [word, tone] = shown[state]
  return <span class={`badge small soft ${tone}`}>{word}</span>
}
