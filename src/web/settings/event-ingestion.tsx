/** Settings > Integrations > Event Ingestion: the list of ingestion tokens, or the page of one. */

import { useState } from 'preact/hooks'
import { type IngestionTokenSummary, listTokens, tokenSecret } from '../api/settings.ts'
import { may } from '../app/session.ts'
import { countText } from '../format.ts'
import { useEvery } from '../state/every.ts'
import { go } from '../state/location.ts'
import { useRequest } from '../state/request.ts'
import { fullText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { EmptyState } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { agoText } from './ago.ts'
import { DeleteTokenDialog } from './delete-token.tsx'
import { Forbidden } from './forbidden.tsx'
import { NewTokenDialog } from './new-token.tsx'
import { SectionHead } from './section-head.tsx'
import { shownForm, shownToken, tokenHref } from './section-href.ts'
import { TokenPage } from './token-page.tsx'

/** While the page of a token waits for its first event, and otherwise, ms. */
const pollMs = { one: 1_500, list: 5_000 } as const

export function EventIngestion() {
  if (!may('admin')) {
    return (
      <Forbidden
        title="Event Ingestion"
        what="ingestion tokens"
        ask="Ask whoever gave you the key, or runs this service, for an ingestion token, and name your service and its environment: a token is made for these two."
      />
    )
  }
  return <Tokens />
}

function Tokens() {
  const found = useRequest('tokens', listTokens)
  const id = shownToken.value
  useEvery(id === '' ? pollMs.list : pollMs.one, () => found.isBusy || found.refresh(), true)
  const tokens = found.answer
  if (id !== '' && tokens !== undefined) {
    return (
      <TokenPage
        key={id}
        token={tokens.find(token => token.id === id)}
        refreshError={found.error}
        onDeleted={found.refresh}
      />
    )
  }
  return (
    <>
      <SectionHead title="Event Ingestion" act="New token" reading="Loading tokens" found={found}>
        A program sends events with an ingestion token. The token names the service and the
        environment of its records, and can do nothing else.
      </SectionHead>
      {tokens?.length === 0 && <NoTokens />}
      {tokens !== undefined && tokens.length > 0 && (
        <TokenTable tokens={tokens} onChange={found.refresh} />
      )}
      {shownForm.value === 'new' && (
        <NewTokenDialog
          onClose={() => shownForm.set('none', 'replace')}
          onCreated={created => {
            found.refresh()
            go(tokenHref(created), 'replace')
          }}
        />
      )}
    </>
  )
}

function NoTokens() {
  return (
    <EmptyState
      title="No ingestion token yet"
      icon="settings"
      actions={
        <Button kind="outline" icon="plus" onClick={() => shownForm.set('new')}>
          Make the first token
        </Button>
      }
    >
      Make one for a service, paste a snippet into it, and watch the first event arrive.
    </EmptyState>
  )
}

interface TokenTableProps {
  readonly tokens: readonly IngestionTokenSummary[]
  onChange(): void
}

function TokenTable({ tokens, onChange }: TokenTableProps) {
  const [leaving, setLeaving] = useState<IngestionTokenSummary | undefined>(undefined)
  const now = Date.now()
  const nameOf = ({ serviceName, environment }: IngestionTokenSummary) =>
    `${serviceName} in ${environment}`
  return (
    <>
      <Table
        label="Ingestion tokens"
        isStacked
        rows={tokens}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Service',
            cell: ({ id, serviceName }) => (
              <a class="settings-name truncate" href={tokenHref(id)} title={serviceName}>
                {serviceName}
              </a>
            ),
          },
          {
            title: 'Environment',
            cell: ({ environment }) => (
              <span class="settings-name truncate" title={environment}>
                {environment}
              </span>
            ),
          },
          {
            title: 'Token',
            cell: ({ hint, browser }) => (
              <span>
                <code>ing_…{hint}</code>
                {browser && <span class="soft"> for pages</span>}
              </span>
            ),
          },
          { title: 'Created', cell: ({ createdAt }) => <Moment time={createdAt} now={now} /> },
          { title: 'Last used', cell: ({ lastUsedAt }) => <Moment time={lastUsedAt} now={now} /> },
          { title: 'Events', isNumber: true, cell: token => countText(token.eventCount) },
        ]}
        actions={token => (
          <span class="settings-actions">
            <CopyButton
              text={() => tokenSecret(token.id)}
              label={`Copy the token of ${nameOf(token)}`}
            />
            <IconButton
              icon="trash"
              label={`Delete the token of ${nameOf(token)}`}
              onClick={() => setLeaving(token)}
            />
          </span>
        )}
      />
      {leaving && (
        <DeleteTokenDialog
          token={tokens.find(({ id }) => id === leaving.id) ?? leaving}
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

function Moment({ time, now }: { readonly time: number | null; readonly now: number }) {
  if (time === null) return <span class="soft">never</span>
  return <span title={fullText(time, zone.value)}>{agoText(time, now)}</span>
}
