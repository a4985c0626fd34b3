/** How a rule or an alert stands, as a word with its colour. */

import type { RuleShown } from '../api/alerts.ts'

const words: Readonly<Record<RuleShown['state'] | 'failing', string>> = {
  firing: 'Firing',
  pending: 'Pending',
  inactive: 'Quiet',
  disabled: 'Off',
  failing: 'Failing',
}

export function StateBadge({ state }: { readonly state: keyof typeof words }) {
  return <span class={`alert-state alert-state-${state}`}>{words[state]}</span>
}
