/** Says, without moving anything, that what is shown could not be brought up to date. */

import { Icon } from '../ui/icon.tsx'
import { explain } from '../ui/states.tsx'

export function NotCurrent({ error }: { readonly error: unknown }) {
  if (error === undefined) return null
  const { title } = explain(error)
  return (
    <span class="not-current at-end" role="status">
      <Icon name="warning" />
      Not up to date: {title.charAt(0).toLowerCase() + title.slice(1)}
    </span>
  )
}
