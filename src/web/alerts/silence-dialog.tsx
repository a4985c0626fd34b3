/** Makes a silence: of which alerts nobody is told, for how long, and why. */

import { useState } from 'preact/hooks'
import { hourMs } from '../../time-units.ts'
import { type SilenceMatcher, saveSilence } from '../api/alerts.ts'
import { ActionDialog } from '../settings/action-dialog.tsx'
import { Field, SelectField } from '../ui/field.tsx'
import { toast } from '../ui/toasts.tsx'
import { matchersText, readMatchers } from './matchers.ts'

interface SilenceDialogProps {
  readonly matchers: readonly SilenceMatcher[]
  onClose(): void
  onMade(): void
}

const lengths = [
  { value: '1', text: 'an hour' },
  { value: '4', text: '4 hours' },
  { value: '24', text: 'a day' },
  { value: '168', text: 'a week' },
] as const

export function SilenceDialog({ matchers, onClose, onMade }: SilenceDialogProps) {
  const [text, setText] = useState(matchersText(matchers))
  const [hours, setHours] = useState<string>('1')
  const [comment, setComment] = useState('')
  const read = readMatchers(text)
  const isWrong = text.trim() !== '' && read === undefined
  const save = async () => {
    if (read === undefined) throw new Error('say of which alerts, such as alertname="Errors"')
    await saveSilence({ matchers: read, until: Date.now() + Number(hours) * hourMs, comment })
    toast('Nobody is told of these alerts now.')
    onClose()
    onMade()
  }
  return (
    <ActionDialog title="New silence" act="Silence" kind="primary" onAct={save} onClose={onClose}>
      <Field
        label="Of alerts with these labels"
        value={text}
        placeholder={'alertname="Errors", environment=~"dev|test"'}
        hint="All must hold. They go on firing; nobody is told."
        error={isWrong ? 'write them as label="value", with =, !=, =~ or !~' : undefined}
        onChange={setText}
      />
      <SelectField label="For" value={hours} options={lengths} onChange={setHours} />
      <Field label="Why" value={comment} onChange={setComment} />
    </ActionDialog>
  )
}
