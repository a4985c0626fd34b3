/** Makes or changes a receiver. Secrets are never shown again; left empty they stay as they are. */

import { useState } from 'preact/hooks'
import { type ReceiverKind, type ReceiverShown, saveReceiver } from '../api/alerts.ts'
import { ActionDialog } from '../settings/action-dialog.tsx'
import { Field, SelectField } from '../ui/field.tsx'

interface ReceiverDialogProps {
  /** Undefined for a new one. */
  readonly receiver: ReceiverShown | undefined
  onClose(): void
  onSaved(): void
}

export const kindTexts: Readonly<Record<ReceiverKind, string>> = {
  webhook: 'Webhook',
  slack: 'Slack',
  alertmanager: 'Alertmanager',
}

const hints: Readonly<Record<ReceiverKind, string>> = {
  webhook: 'Gets JSON by POST, such as https://example.com/alerts',
  slack: 'An incoming webhook: https://hooks.slack.com/services/…',
  alertmanager: 'Its address without /api/v2, such as http://alertmanager:9093',
}

export function ReceiverDialog({ receiver, onClose, onSaved }: ReceiverDialogProps) {
  const [name, setName] = useState(receiver?.name ?? '')
  const [kind, setKind] = useState<ReceiverKind>(receiver?.kind ?? 'webhook')
  const [url, setUrl] = useState(receiver?.kind === 'slack' ? '' : (receiver?.target ?? ''))
  const [user, setUser] = useState('')
  const [secret, setSecret] = useState('')
  const save = async () => {
    const isManager = kind === 'alertmanager'
    const how = {
      url,
      ...(isManager && user !== '' && { user }),
      ...(secret !== '' && { [isManager ? 'password' : 'secret']: secret }),
    }
    await saveReceiver({ ...(receiver && { id: receiver.id }), name, kind, [kind]: how })
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
      <Field label="Name" value={name} onInput={event => setName(event.currentTarget.value)} />
      <SelectField<ReceiverKind>
        label="Kind"
        value={kind}
        options={(Object.keys(kindTexts) as ReceiverKind[]).map(value => ({
          value,
          text: kindTexts[value],
        }))}
        onChange={setKind}
      />
      <Field
        label="Address"
        value={url}
        hint={hints[kind]}
        onInput={event => setUrl(event.currentTarget.value)}
      />
      {kind === 'alertmanager' && (
        <Field
          label="User"
          value={user}
          hint="Optional"
          onInput={event => setUser(event.currentTarget.value)}
        />
      )}
      {kind !== 'slack' && (
        <Field
          label={kind === 'webhook' ? 'Secret that signs' : 'Password'}
          type="password"
          value={secret}
          hint={kept}
          onInput={event => setSecret(event.currentTarget.value)}
        />
      )}
    </ActionDialog>
  )
}
