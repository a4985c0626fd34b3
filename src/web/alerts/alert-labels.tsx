/** Labels of an alert, but for the name of its rule, which stands beside them. */
export function AlertLabels({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
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
