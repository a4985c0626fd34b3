/** Makes or changes a receiver. Secrets are never shown again. */

import { useState } from 'preact/hooks'
import { type ReceiverKind, type ReceiverShown, saveReceiver } from '../api/alerts.ts'
import { ActionDialog } from '../settings/action-dialog.tsx'
import { Field, SelectField } from '../ui/field.tsx'
import { howReached, type ReceiverDraft, receiverDraft } from './receiver-draft.ts'
import { EmailFields, WebFields } from './receiver-fields.tsx'

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

export function ReceiverDialog({ receiver, onClose, onSaved }: ReceiverDialogProps) {
  const [first] = useState(receiverDraft(receiver))
  const [draft, setDraft] = useState(first)
  const { kind, name } = draft
  const onChange = (next: Partial<ReceiverDraft>) => setDraft(before => ({ ...before, ...next }))
  const save = async () => {
    const id = receiver && { id: receiver.id }
    await saveReceiver({ ...id, name, kind, [kind]: howReached(draft, first) })
    onClose()
    onSaved()
  }
  const fields = { draft, first, onChange }
  return (
    <ActionDialog
      title={receiver === undefined ? 'New receiver' : `Edit ${receiver.name}`}
      act="Save"
      kind="primary"
      onAct={save}
      onClose={onClose}
    >
      <Field label="Name" value={name} onChange={text => onChange({ name: text })} />
      <SelectField<ReceiverKind>
        label="Kind"
        value={kind}
        options={(Object.keys(kindTexts) as ReceiverKind[]).map(value => ({
          value,
          text: kindTexts[value],
        }))}
        onChange={next => onChange({ kind: next })}
      />
      {kind === 'email' ? <EmailFields {...fields} /> : <WebFields {...fields} kind={kind} />}
    </ActionDialog>
  )
}
