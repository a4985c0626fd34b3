/** What something is, name by name. */

import { type ComponentChildren, Fragment } from 'preact'

export function Facts({ of }: { readonly of: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl class="settings-facts framed">
      {Object.entries(of).map(([name, value]) => (
        <Fragment key={name}>
          <dt class="soft">{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
