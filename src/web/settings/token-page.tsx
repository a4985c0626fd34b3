/** One ingestion token: whether events arrive, its secret, and snippets to paste into what sends. */

import { useState } from 'preact/hooks'
import { ApiProblem } from '../api/problem.ts'
import { type IngestionTokenSummary, tokenSecret } from '../api/settings.ts'
import { go } from '../state/location.ts'
import { useRequest } from '../state/request.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'
import { Arrival } from './arrival.tsx'
import { DeleteTokenDialog } from './delete-token.tsx'
import { NotCurrent } from './not-current.tsx'
import { sectionHref } from './section-href.ts'
import { SnippetPanel } from './snippet-panel.tsx'

interface TokenPageProps {
  /** Undefined when there is none of this id (any more). */
  readonly token: IngestionTokenSummary | undefined
  /** Why the values are not of now. */
  readonly refreshError: unknown
  onDeleted(): void
}

export function TokenPage({ token, refreshError, onDeleted }: TokenPageProps) {
  const [isLeaving, setLeaving] = useState(false)
  const id = token?.id
  const secret = useRequest(id, () => tokenSecret(id!))
  const isGone = secret.error instanceof ApiProblem && secret.error.code === 'token_unknown'
  if (token === undefined || isGone) return <Gone />
  const { serviceName, environment } = token
  return (
    <>
      <header class="page-header line apart wraps">
        <div class="settings-crumbs">
          <a href={sectionHref('event-ingestion')}>Event Ingestion</a>
          <h1>
            {serviceName} <span class="soft">in</span> {environment}
          </h1>
        </div>
        <NotCurrent error={refreshError} />
        <Button kind="outline" icon="trash" onClick={() => setLeaving(true)}>
          Delete the token
        </Button>
      </header>
      <Arrival token={token} />
      <Progress isBusy={secret.isBusy} text="Loading the token" />
      {secret.error !== undefined && <Unreadable error={secret.error} onRetry={secret.refresh} />}
      {secret.answer !== undefined && (
        <>
          <section class="settings-card framed column" aria-labelledby="token-title">
            <h2 id="token-title">The token</h2>
            <div class="secret line wraps">
              <code>{secret.answer}</code>
              <CopyButton text={secret.answer} label="Copy the token" hasText />
            </div>
            {token.browser ? (
              <p class="soft">
                It is for pages in a browser, where everybody can read it: it counts only from the
                origins that <code>--cors-origins</code> names, for 600 requests a minute of one
                address and 60,000 of all.
              </p>
            ) : (
              <p class="soft">
                It is a secret: whoever has it can send records as {serviceName}. If somebody else
                has seen it, delete it and make another. Administrators find it here again.
              </p>
            )}
            {token.parse === 'json' && (
              <p class="soft">Messages that are JSON are parsed: each becomes the event itself.</p>
            )}
          </section>
          <SnippetPanel
            facts={{
              token: secret.answer,
              stream: `${serviceName}/${environment}`,
              isForBrowsers: token.browser,
            }}
          />
        </>
      )}
      {isLeaving && (
        <DeleteTokenDialog
          token={token}
          onClose={() => setLeaving(false)}
          onDeleted={() => {
            onDeleted()
            go(sectionHref('event-ingestion'), 'replace')
          }}
        />
      )}
    </>
  )
}

function Gone() {
  return (
    <>
      <header class="page-header line apart wraps">
        <h1>Event Ingestion</h1>
      </header>
      <EmptyState
        title="This token is deleted"
        icon="trash"
        actions={
          <a class={buttonClass({ kind: 'outline' })} href={sectionHref('event-ingestion')}>
            Back to the tokens
          </a>
        }
      >
        Events sent with it are refused. Records that it brought are still there. If something
        should go on sending, make a new token for it.
      </EmptyState>
    </>
  )
}

/** The token works, but the file that its secret is kept under is another one, or the service is away. */
function Unreadable({ error, onRetry }: { readonly error: unknown; onRetry(): void }) {
  if (!(error instanceof ApiProblem && error.status === 500)) {
    return <ErrorState error={error} onRetry={onRetry} />
  }
  return (
    <EmptyState title="The token cannot be shown" icon="warning">
      <p>
        It works, but its secret was kept under another <code>secret.key</code> than the one that
        lies in the data directory now.
      </p>
      <p>Put the old file back, or make a new token and delete this one.</p>
    </EmptyState>
  )
}
