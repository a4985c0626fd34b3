/** Asks before an API key is deleted; says so when it cannot be, or when it is one's own. */

import { ApiProblem } from '../api/problem.ts'
import { type ApiKey, deleteKey } from '../api/settings.ts'
import { session } from '../app/session.ts'
import { fullText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { toast } from '../ui/toasts.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { Facts } from './facts.tsx'
import { isLastAdmin } from './key-rules.ts'

interface DeleteKeyDialogProps {
  readonly apiKey: ApiKey
  readonly keys: readonly ApiKey[]
  onClose(): void
  onDeleted(): void
}

export function DeleteKeyDialog({ apiKey, keys, onClose, onDeleted }: DeleteKeyDialogProps) {
  const { id, name, role, createdAt } = apiKey
  const isOwn = id === session.value?.keyId
  if (isLastAdmin(apiKey, keys, Date.now())) return <LastAdmin name={name} onClose={onClose} />

  const remove = async () => {
    try {
      await deleteKey(id)
      toast(`The API key “${name}” is deleted.`)
    } catch (error) {
      if (!(error instanceof ApiProblem && error.code === 'api_key_unknown')) throw error
      toast('Somebody else has already deleted the key.')
    }
    onDeleted()
  }
  return (
    <ActionDialog
      title="Delete this API key?"
      act={isOwn ? 'Delete it and sign me out' : 'Delete the key'}
      kind="danger"
      onAct={remove}
      onClose={onClose}
    >
      {isOwn && (
        <p class="settings-failure">
          <strong>You are signed in with this key.</strong> Deleting it signs you out at once; have
          another key ready.
        </p>
      )}
      <p>
        Scripts that use it are refused from their next request on, and whoever signed in with it is
        signed out:
      </p>
      <Facts of={{ Name: name, Role: role, Created: fullText(createdAt, zone.value) }} />
      <p>The deletion is permanent: it cannot be undone.</p>
    </ActionDialog>
  )
}

function LastAdmin({ name, onClose }: { readonly name: string; onClose(): void }) {
  return (
    <Dialog
      title="This key cannot be deleted"
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          Keep it
        </Button>
      }
    >
      <p>
        “{name}” is the last key of the role admin. Without one nobody could manage tokens and keys
        any more. Make another admin key first, then delete this one.
      </p>
    </Dialog>
  )
}
