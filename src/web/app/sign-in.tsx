/** Where one signs in: an API key is exchanged for a session. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { explain } from '../ui/states.tsx'
import { signIn } from './session.ts'

export function SignInPage() {
  const [key, setKey] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | undefined>(undefined)
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])

  const submit = async (event: Event) => {
    event.preventDefault()
    if (key.trim() === '') {
      setError('Paste an API key.')
      input.current?.focus()
      return
    }
    setBusy(true)
    setError(undefined)
    try {
      await signIn(key.trim())
    } catch (reason) {
      setError(reasonText(reason, key.trim()))
      input.current?.select()
    } finally {
      setBusy(false)
    }
  }

  return (
    <main class="sign-in">
      <form class="sign-in-form column" onSubmit={submit}>
        <svg class="brand-mark" viewBox="0 0 16 16" aria-hidden="true">
          <rect width="16" height="16" rx="3.5" />
          <path d="M3.5 4.5h9M3.5 8h6M3.5 11.5h8" />
        </svg>
        <h1>Sign in to Logstrata</h1>
        <Field
          label="API key"
          type="password"
          autocomplete="current-password"
          hint="It begins with key_. The first start of the service printed one; later ones come from an administrator."
          value={key}
          error={error}
          inputRef={input}
          onChange={setKey}
        />
        <Button kind="primary" type="submit" disabled={isBusy}>
          Sign in
        </Button>
      </form>
    </main>
  )
}

function reasonText(reason: unknown, key: string): string {
  if (key.startsWith('ing_')) {
    return 'This is an ingestion token: it can send events and nothing else. An API key begins with key_.'
  }
  const { title, detail } = explain(reason)
  return reason instanceof ApiProblem ? detail : `${title}: ${detail}`
}
