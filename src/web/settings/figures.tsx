/** Figures of the settings, in groups, each with a note. */

import type { ComponentChildren } from 'preact'

export function Group({
  title,
  actions,
  children,
}: {
  readonly title: string
  /** Beside its title. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="settings-card framed column">
      <div class="settings-card-head line apart wraps">
        <h2>{title}</h2>
        {actions}
      </div>
      <dl class="storage-stats">{children}</dl>
    </section>
  )
}

interface StatProps {
  readonly title: string
  readonly value: string
  readonly children: ComponentChildren
}

export function Stat({ title, value, children }: StatProps) {
  return (
    <div class="storage-stat">
      <dt class="soft">{title}</dt>
      <dd class="storage-stat-value strong">{value}</dd>
      <dd class="storage-stat-note small soft">{children}</dd>
    </div>
  )
}
