/** Makes or changes a receiver. Secrets are never shown again; left empty they stay as they are. */

import { useState } from 'preact/hooks'
import { type ReceiverKind, type ReceiverShown, saveReceiver } from '../api/alerts.ts'
import { ActionDialog } from '../settings/action-dialog.tsx'
import { Field, SelectField } from '../ui/field.tsx'
import { howReached, type ReceiverDraft, receiverDraft } from './receiver-draft.ts'

interface ReceiverDialogProps {
  /** Undefined for a new one. */
  readonly receiver: ReceiverShown | undefined
  onClose(): void
  onSaved(): void
}

export const kindTexts: Readonly<Record<ReceiverKind, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  email: 'E-mail',
  alertmanager: 'Alertmanager',
}

const hints: Readonly<Record<Exclude<ReceiverKind, 'email'>, string>> = {
  webhook: 'Gets JSON by POST, such as https://example.com/alerts',
  slack: 'An incoming webhook: https://hooks.slack.com/services/…',
  alertmanager: 'Its address without /api/v2, such as http://alertmanager:9093',
}

const encryptions = [
  { value: 'starttls', text: 'STARTTLS' },
  { value: 'tls', text: 'TLS' },
  { value: 'none', text: 'none' },
] as const

export function ReceiverDialog({ receiver, onClose, onSaved }: ReceiverDialogProps) {
  const [draft, setDraft] = useState(receiverDraft(receiver))
  const { kind, name } = draft
  const change = (next: Partial<ReceiverDraft>) => setDraft(before => ({ ...before, ...next }))
  const text = (field: Exclude<keyof ReceiverDraft, 'kind' | 'tls'>) => ({
    value: draft[field],
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      change({ [field]: event.currentTarget.value }),
  })
  const save = async () => {
    const id = receiver && { id: receiver.id }
    await saveReceiver({ ...id, name, kind, [kind]: howReached(draft) })
    onClose()
    onSaved()
  }
  const kept = receiver === undefined ? 'Optional' : 'Left empty it stays as it is'
  return (
    <ActionDialog
      title={receiver === undefined ? 'New receiver' : `Edit ${receiver.name}`}
      act="Save"
      kind="primary"
      onAct={save}
      onClose={onClose}
    >
      <Field label="Name" {...text('name')} />
      <SelectField<ReceiverKind>
        label="Kind"
        value={kind}
        options={(Object.keys(kindTexts) as ReceiverKind[]).map(value => ({
          value,
          text: kindTexts[value],
        }))}
        onChange={next => change({ kind: next })}
      />
      {kind === 'email' ? (
        <>
          <Field label="Mail server" placeholder="mail.example.com:587" {...text('host')} />
          <SelectField
            label="Encryption"
            value={draft.tls}
            options={encryptions}
            onChange={tls => change({ tls })}
          />
          <Field label="From" placeholder="logs@example.com" {...text('from')} />
          <Field label="To" hint="Addresses, separated by commas" {...text('to')} />
        </>
      ) : (
        <Field label="Address" hint={hints[kind]} {...text('url')} />
      )}
      {(kind === 'alertmanager' || kind === 'email') && (
        <Field label="User" hint="Optional" {...text('user')} />
      )}
      {kind !== 'slack' && (
        <Field
          label={kind === 'webhook' ? 'Secret that signs' : 'Password'}
          type="password"
          hint={kept}
          {...text('secret')}
        />
      )}
    </ActionDialog>
  )
}
