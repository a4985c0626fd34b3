/** Snippets with the token and the service's address filled in, by what sends. */

import { useId, useState } from 'preact/hooks'
import { useRequest } from '../state/request.ts'
import { Field } from '../ui/field.tsx'
import { ErrorState, Progress } from '../ui/states.tsx'
import { shownSnippet } from './section-href.ts'
import { SnippetTabs } from './snippet-tabs.tsx'
import { originOf } from './snippets/origin.ts'
import type { SnippetFacts } from './snippets/snippet.ts'

/** Of the token. Its snippets are loaded when they are to be shown: few look at them, and they are long. */
export function SnippetPanel({ facts }: { readonly facts: Omit<SnippetFacts, 'origin'> }) {
  const [address, setAddress] = useState(window.location.origin)
  const typed = originOf(address)
  // While an address is being typed, the last one that was one stays in the snippets.
  const [origin, setOrigin] = useState(window.location.origin)
  const titleId = useId()
  const made = useRequest('snippets', () => import('./snippets/loaded.ts'))
  const snippets = made.answer?.snippetsFor({ ...facts, origin }) ?? []
  return (
    <section class="settings-card framed column" aria-labelledby={titleId}>
      <h2 id={titleId}>Send events</h2>
      <Field
        label="Address of this service, as the sender reaches it"
        value={address}
        hint={hintOf(origin)}
        error={typed === undefined ? 'Write it as https://logs.example.com:7007' : undefined}
        onChange={text => {
          setAddress(text)
          setOrigin(originOf(text) ?? origin)
        }}
      />
      <Progress isBusy={made.isBusy} text="Loading the snippets" />
      {made.error !== undefined && <ErrorState error={made.error} onRetry={made.refresh} />}
      {snippets.length > 0 && (
        <SnippetTabs
          label="Sender"
          snippets={snippets}
          chosen={shownSnippet.value}
          onChoose={id => shownSnippet.set(id, 'replace')}
        />
      )}
    </section>
  )
}

function hintOf(origin: string): string {
  const { hostname } = new URL(origin)
  const isLoopback = /^(localhost|127\..*|\[::1\])$/.test(hostname)
  return isLoopback
    ? 'Only this machine itself reaches it so. For others, write its name, and start the service with --host 0.0.0.0.'
    : 'It is used in every snippet below.'
}
