/** Settings > API keys: who may query and change, by role. */

import { useState } from 'preact/hooks'
import { type ApiKey, listKeys } from '../api/settings.ts'
import { may, session } from '../app/session.ts'
import { useRequest } from '../state/request.ts'
import { dateTimeText, fullText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { IconButton } from '../ui/button.tsx'
import { Table } from '../ui/table.tsx'
import { agoText } from './ago.ts'
import { AssistantSnippets } from './assistant-snippets.tsx'
import { DeleteKeyDialog } from './delete-key.tsx'
import { Forbidden } from './forbidden.tsx'
import { isExpired } from './key-rules.ts'
import { NewKeyDialog } from './new-key.tsx'
import { SectionHead } from './section-head.tsx'
import { shownForm } from './section-href.ts'

export function ApiKeys() {
  if (!may('admin')) {
    return (
      <Forbidden
        title="API keys"
        what="API keys"
        ask="Ask whoever gave you the key, or runs this service, for another one: an editor may change dashboards, an admin everything."
      />
    )
  }
  return <Keys />
}

function Keys() {
  const found = useRequest('keys', listKeys)
  const keys = found.answer
  return (
    <>
      <SectionHead title="API keys" act="New key" reading="Loading keys" found={found}>
        People sign in with an API key, and scripts query with one. Its role says what it may do. To
        send events it takes an ingestion token instead.
      </SectionHead>
      {keys !== undefined && <KeyTable keys={keys} onChange={found.refresh} />}
      <section class="settings-card framed column" aria-labelledby="assistants">
        <h2 id="assistants">Connect an assistant</h2>
        <p class="soft">
          What speaks the Model Context Protocol asks with a key of its own: a viewer’s looks, an
          editor’s changes dashboards, too. A new key is shown with it filled in.
        </p>
        <AssistantSnippets />
      </section>
      {shownForm.value === 'new' && (
        <NewKeyDialog onCreated={found.refresh} onClose={() => shownForm.set('none', 'replace')} />
      )}
    </>
  )
}

interface KeyTableProps {
  readonly keys: readonly ApiKey[]
  onChange(): void
}

function KeyTable({ keys, onChange }: KeyTableProps) {
  const [leaving, setLeaving] = useState<ApiKey | undefined>(undefined)
  const now = Date.now()
  return (
    <>
      <Table
        label="API keys"
        isStacked
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Name',
            cell: ({ id, name }) => (
              <span class="settings-named wraps">
                <span class="settings-name truncate" title={name}>
                  {name}
                </span>
                {id === session.value?.keyId && <span class="badge small soft">this session</span>}
              </span>
            ),
          },
          { title: 'Role', cell: ({ role }) => role },
          {
            title: 'Created',
            cell: ({ createdAt }) => (
              <span title={fullText(createdAt, zone.value)}>{agoText(createdAt, now)}</span>
            ),
          },
          { title: 'Expires', cell: key => <Expiry apiKey={key} now={now} /> },
        ]}
        actions={key => (
          <span class="settings-actions">
            <IconButton icon="trash" label={`Delete ${key.name}`} onClick={() => setLeaving(key)} />
          </span>
        )}
      />
      {leaving && (
        <DeleteKeyDialog
          apiKey={leaving}
          keys={keys}
          onClose={() => setLeaving(undefined)}
          onDeleted={() => {
            setLeaving(undefined)
            onChange()
          }}
        />
      )}
    </>
  )
}

function Expiry({ apiKey, now }: { readonly apiKey: ApiKey; readonly now: number }) {
  const { expiresAt } = apiKey
  if (expiresAt === null) return <span class="soft">never</span>
  const title = fullText(expiresAt, zone.value)
  if (isExpired(apiKey, now)) {
    return (
      <span class="tone-warn" title={title}>
        expired {agoText(expiresAt, now)}
      </span>
    )
  }
  return <span title={title}>{dateTimeText(expiresAt, zone.value).slice(0, 16)}</span>
}
