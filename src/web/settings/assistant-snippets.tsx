/** How an assistant is told of this service, with a key where one was just made. */

import { useState } from 'preact/hooks'
import { useRequest } from '../state/request.ts'
import { ErrorState, Progress } from '../ui/states.tsx'
import { SnippetTabs } from './snippet-tabs.tsx'

/** Stands for a key that is not known any more. */
const anyKey = 'key_…'

export function AssistantSnippets({ apiKey = anyKey }: { readonly apiKey?: string }) {
  const [chosen, setChosen] = useState('')
  const made = useRequest('assistants', () => import('./snippets/loaded.ts'))
  const facts = { origin: window.location.origin, key: apiKey }
  const snippets = made.answer?.assistantsFor(facts)
  return (
    <>
      <Progress isBusy={made.isBusy} text="Loading the snippets" />
      {made.error !== undefined && <ErrorState error={made.error} onRetry={made.refresh} />}
      {snippets && (
        <SnippetTabs label="Assistant" snippets={snippets} chosen={chosen} onChoose={setChosen} />
      )}
    </>
  )
}
