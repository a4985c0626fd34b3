/** A light that turns green with the first event of a token, and the way to its records. */

import type { IngestionTokenSummary } from '../api/settings.ts'
import { countText } from '../format.ts'
import { buttonClass } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { agoText } from './ago.ts'
import { recordsHref } from './token-records.ts'

export function Arrival({ token }: { readonly token: IngestionTokenSummary }) {
  const { eventCount, lastUsedAt } = token
  const now = Date.now()
  const isThere = eventCount > 0 && lastUsedAt !== null
  return (
    <section
      class={`arrival line wraps${isThere ? ' arrival-there' : ''}`}
      aria-label="Arrival of events"
    >
      <span class="arrival-light">{isThere && <Icon name="check" />}</span>
      <div class="arrival-text column">
        {/* Only this is read out: the values beside it change with every look. */}
        <strong role="status">
          {isThere ? 'Events have arrived' : 'Waiting for the first event'}
        </strong>
        <span class="soft">
          {isThere
            ? `${countText(eventCount)} so far, the last one ${agoText(lastUsedAt, now)}`
            : 'Paste a snippet into the sender. This turns green when the first event arrives.'}
        </span>
      </div>
      <a class={buttonClass({ kind: 'outline' })} href={recordsHref(token, now)}>
        <Icon name="logs" />
        Show the records
      </a>
    </section>
  )
}
