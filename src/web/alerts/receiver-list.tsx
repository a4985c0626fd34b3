/** Who is told of alerts; admins change that, and try each. */

import { useState } from 'preact/hooks'
import { deleteReceiver, listReceivers, type ReceiverShown, testReceiver } from '../api/alerts.ts'
import { may } from '../app/session.ts'
import { ActionDialog } from '../settings/action-dialog.tsx'
import { useRequest } from '../state/request.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Table } from '../ui/table.tsx'
import { attempt, toast } from '../ui/toasts.tsx'
import { Listed } from './listed.tsx'
import { kindTexts, ReceiverDialog } from './receiver-dialog.tsx'

export function ReceiverList() {
  const found = useRequest('receivers', listReceivers)
  /** Undefined: none; `new`: one that is not there yet. */
  const [edited, setEdited] = useState<ReceiverShown | 'new' | undefined>(undefined)
  const [leaving, setLeaving] = useState<ReceiverShown | undefined>(undefined)
  const isAdmin = may('admin')
  return (
    <>
      {isAdmin && (
        <p>
          <Button kind="outline" icon="plus" onClick={() => setEdited('new')}>
            New receiver
          </Button>
        </p>
      )}
      <Listed
        found={found}
        reading="Reading the receivers"
        none={{
          title: 'Nobody is told yet',
          text: isAdmin
            ? 'A receiver is a webhook, a channel of Slack, a mailbox, or an Alertmanager. Rules name those that they tell.'
            : 'Admins add receivers: webhooks, channels of Slack, mailboxes, Alertmanagers.',
        }}
      >
        {receivers => (
          <Table
            label="Receivers"
            isStacked
            rows={receivers}
            keyOf={({ id }) => id}
            columns={[
              { title: 'Name', cell: ({ name }) => name },
              { title: 'Kind', cell: ({ kind }) => kindTexts[kind] },
              { title: 'Where', cell: ({ target }) => <code>{target || 'unknown'}</code> },
            ]}
            actions={receiver =>
              isAdmin && (
                <span class="settings-actions">
                  <Button
                    isSmall
                    kind="outline"
                    aria-label={`Test ${receiver.name}`}
                    onClick={() => void tryOut(receiver)}
                  >
                    Test
                  </Button>
                  <IconButton
                    isSmall
                    icon="edit"
                    label={`Edit ${receiver.name}`}
                    onClick={() => setEdited(receiver)}
                  />
                  <IconButton
                    isSmall
                    icon="trash"
                    label={`Delete ${receiver.name}`}
                    onClick={() => setLeaving(receiver)}
                  />
                </span>
              )
            }
          />
        )}
      </Listed>
      {edited !== undefined && (
        <ReceiverDialog
          receiver={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
          onSaved={found.refresh}
        />
      )}
      {leaving !== undefined && (
        <ActionDialog
          title="Delete this receiver?"
          act="Delete the receiver"
          kind="danger"
          onAct={async () => {
            await deleteReceiver(leaving.id)
            setLeaving(undefined)
            found.refresh()
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>
            {leaving.name} is told of nothing any more, also not of what waits for it, and rules do
            not name it any more.
          </p>
        </ActionDialog>
      )}
    </>
  )
}

/** Tells it once of an alert that is none. */
function tryOut({ id, name }: ReceiverShown): Promise<void> {
  return attempt(async () => {
    const { ok, error } = await testReceiver(id)
    toast(ok ? `${name} was told of a test.` : `${name} could not be told: ${error}`)
  })
}
