/** What tables of alerts say of each: its labels and its value. */

import { numberText } from '../format.ts'
import type { Column } from '../ui/table.tsx'

type Labels = Readonly<Record<string, string>>

export const alertColumns: readonly Column<{ labels: Labels; value: number | null }>[] = [
  { title: 'Labels', cell: ({ labels }) => <AlertLabels labels={labels} /> },
  {
    title: 'Value',
    isNumber: true,
    cell: ({ value }) => (value === null ? '–' : numberText(value)),
  },
]

/** But for the name of the rule, which stands beside them. */
function AlertLabels({ labels }: { readonly labels: Labels }) {
  const shown = Object.entries(labels).filter(([name]) => name !== 'alertname')
  if (shown.length === 0) return <span class="faint">no labels</span>
  return (
    <span class="alert-labels">
      {shown.map(([name, value]) => (
        <span class="alert-label" key={name}>
          <span class="faint">{name}</span> {value}
        </span>
      ))}
    </span>
  )
}
