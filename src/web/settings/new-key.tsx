/** Making an API key, and showing it this once. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import type { Role } from '../api/session.ts'
import { type CreatedApiKey, createKey } from '../api/settings.ts'
import { dateTimeText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field, SelectField } from '../ui/field.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { AssistantSnippets } from './assistant-snippets.tsx'
import { Facts } from './facts.tsx'
import { endOf, type Lifetime } from './key-rules.ts'

interface NewKeyDialogProps {
  onClose(): void
  onCreated(): void
}

const roles: readonly { value: Role; text: string }[] = [
  { value: 'viewer', text: 'viewer: queries, looks at dashboards' },
  { value: 'editor', text: 'editor: also changes dashboards' },
  { value: 'admin', text: 'admin: also manages tokens and keys' },
]

const ends: readonly { value: Lifetime; text: string }[] = [
  { value: 'never', text: 'never' },
  { value: 'day', text: 'after a day' },
  { value: 'week', text: 'after a week' },
  { value: 'month', text: 'after 30 days' },
  { value: 'quarter', text: 'after 90 days' },
  { value: 'year', text: 'after a year' },
]

export function NewKeyDialog({ onClose, onCreated }: NewKeyDialogProps) {
  const [name, setName] = useState('')
  const [nameError, setNameError] = useState<string | undefined>(undefined)
  const [role, setRole] = useState<Role>('viewer')
  const [lifetime, setLifetime] = useState<Lifetime>('never')
  const [created, setCreated] = useState<CreatedApiKey | undefined>(undefined)
  const input = useRef<HTMLInputElement>(null)
  if (created !== undefined) return <CreatedKey created={created} onClose={onClose} />

  const refuse = (reason: string) => {
    setNameError(reason)
    input.current?.focus()
  }
  const create = async () => {
    if (name.trim() === '') {
      refuse('Required: say what or who the key is for.')
      return
    }
    const expiresAt = endOf(lifetime, Date.now())
    try {
      setCreated(await createKey({ name, role, ...(expiresAt === undefined ? {} : { expiresAt }) }))
      onCreated()
    } catch (error) {
      if (!(error instanceof ApiProblem && error.field === 'name')) throw error
      refuse(error.message)
    }
  }
  return (
    <ActionDialog
      title="New API key"
      act="Create key"
      kind="primary"
      onAct={create}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint="Required. What or who it is for, such as grafana or Ada’s laptop."
        isRequired
        value={name}
        error={nameError}
        inputRef={input}
        onChange={text => {
          setName(text)
          setNameError(undefined)
        }}
      />
      <SelectField label="Role" value={role} options={roles} onChange={value => setRole(value)} />
      <SelectField
        label="Expires"
        value={lifetime}
        options={ends}
        onChange={value => setLifetime(value)}
      />
    </ActionDialog>
  )
}

function CreatedKey({
  created: { key, name, role, expiresAt },
  onClose,
}: {
  readonly created: CreatedApiKey
  onClose(): void
}) {
  const content = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    // What one came for; the dialog itself would begin at its cross.
    const buttons = content.current?.closest('dialog')?.querySelectorAll('footer button')
    if (buttons?.[1] instanceof HTMLElement) buttons[1].focus()
  }, [])
  const end = expiresAt === null ? 'never' : dateTimeText(expiresAt, zone.value).slice(0, 16)
  return (
    <Dialog
      title="API key created"
      onClose={onClose}
      actions={
        <>
          <Button kind="outline" onClick={onClose}>
            I have kept it
          </Button>
          <CopyButton text={key} label="Copy the key" hasText />
        </>
      }
    >
      <p ref={content}>Copy it now: it is shown only this once, and nobody can look it up later.</p>
      <div class="secret line wraps">
        <code>{key}</code>
      </div>
      <Facts of={{ Name: name, Role: role, Expires: end }} />
      <details>
        <summary>For an assistant</summary>
        <AssistantSnippets apiKey={key} />
      </details>
    </Dialog>
  )
}
