/** Asks before an ingestion token is deleted, and names what will stop working. */

import { dayMs } from '../../time-units.ts'
import { ApiProblem } from '../api/problem.ts'
import { deleteToken, type IngestionTokenSummary } from '../api/settings.ts'
import { countText } from '../format.ts'
import { toast } from '../ui/toasts.tsx'
import { ActionDialog } from './action-dialog.tsx'
import { agoText } from './ago.ts'
import { Facts } from './facts.tsx'

interface DeleteTokenDialogProps {
  readonly token: IngestionTokenSummary
  onClose(): void
  onDeleted(): void
}

/** Used within this time, ms: somebody will miss it. */
const inUseMs = dayMs

export function DeleteTokenDialog({ token, onClose, onDeleted }: DeleteTokenDialogProps) {
  const { serviceName, environment, lastUsedAt, eventCount, hint } = token
  const now = Date.now()
  const isInUse = lastUsedAt !== null && now - lastUsedAt < inUseMs
  const remove = async () => {
    try {
      await deleteToken(token.id)
      toast(`The token of ${serviceName} in ${environment} is deleted.`)
    } catch (error) {
      if (!(error instanceof ApiProblem && error.code === 'token_unknown')) throw error
      toast('Somebody else has already deleted the token.')
    }
    onDeleted()
  }
  return (
    <ActionDialog
      title="Delete this ingestion token?"
      act="Delete the token"
      kind="danger"
      onAct={remove}
      onClose={onClose}
    >
      <p>
        Whatever sends with it is refused from its next event on, and those events are lost unless
        the sender keeps them:
      </p>
      <Facts
        of={{
          Service: serviceName,
          Environment: environment,
          Token: <code>ing_…{hint}</code>,
          'Last used': (
            <span class={isInUse ? 'tone-warn' : ''}>
              {lastUsedAt === null ? 'never' : agoText(lastUsedAt, now)}
              {isInUse && ': it is in use'}
            </span>
          ),
          Events: countText(eventCount),
        }}
      />
      <p>The records stay. The deletion is permanent: it cannot be undone.</p>
    </ActionDialog>
  )
}
