/** Changes how long records are kept. What a shorter bound deletes is said before, and asked once. */

import '../shared.ts'
import { useState } from 'preact/hooks'
import { changeRetention, type RetentionAnswer } from '../api/settings.ts'
import { zone } from '../time/zone.ts'
import { Field } from '../ui/field.tsx'
import { toast } from '../ui/toasts.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { ageText, deletionText, readAge, readSize, sizeText } from './retention-reading.ts'

interface RetentionDialogProps {
  readonly retention: RetentionAnswer
  onClose(): void
  onChanged(): void
}

export function RetentionDialog({ retention, onClose, onChanged }: RetentionDialogProps) {
  const [age, setAge] = useState(ageText(retention.ageMs))
  const [size, setSize] = useState(sizeText(retention.bytes))
  /** What would go, for just these texts; asked once. */
  const [told, setTold] = useState<string | undefined>(undefined)
  const [ages, sizes] = [readAge(age), readSize(size)]
  const edit = (set: (text: string) => void) => (text: string) => {
    setTold(undefined)
    set(text)
  }
  const change = async () => {
    if ('fault' in ages || 'fault' in sizes) return
    const bounds = { ageMs: ages.value, bytes: sizes.value }
    if (told === undefined) {
      const { deletes } = await changeRetention(bounds, { isTrial: true })
      const deleted = deletionText(deletes, zone.peek())
      setTold(deleted)
      if (deleted !== undefined) return
    }
    await changeRetention(bounds, { isTrial: false })
    toast('Retention is changed.')
    onChanged()
    onClose()
  }
  return (
    <ActionDialog
      title="Change retention"
      act={told === undefined ? 'Change' : 'Delete them'}
      kind={told === undefined ? 'primary' : 'danger'}
      onAct={change}
      onClose={onClose}
    >
      {retention.fixed.includes('ageMs') ? (
        <p class="soft">The age is fixed by how the service was started: {age}.</p>
      ) : (
        <Field
          label="Keep records for"
          value={age}
          placeholder="ever"
          hint="Such as 30d or 1y; nothing: for ever"
          error={'fault' in ages ? ages.fault : undefined}
          onChange={edit(setAge)}
        />
      )}
      {retention.fixed.includes('bytes') ? (
        <p class="soft">The size is fixed by how the service was started: {size}.</p>
      ) : (
        <Field
          label="Keep at most"
          value={size}
          placeholder="as much as there is"
          hint="Such as 200GiB, of which the oldest go first; nothing: no bound"
          error={'fault' in sizes ? sizes.fault : undefined}
          onChange={edit(setSize)}
        />
      )}
      <div role="status">
        {told !== undefined && (
          <p class="settings-failure">
            <strong>This deletes {told}.</strong> It cannot be undone.
          </p>
        )}
      </div>
    </ActionDialog>
  )
}
