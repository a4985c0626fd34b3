/** Settings: the ingestion tokens there are, for admins. */

import { listTokens } from '../api/settings.ts'
import { may } from '../app/session.ts'
import { countText } from '../format.ts'
import { useRequest } from '../state/request.ts'
import { fullText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'

export function SettingsPage() {
  const isAllowed = may('admin')
  const found = useRequest(isAllowed ? 'tokens' : undefined, listTokens)
  return (
    <div class="page">
      <header class="page-header">
        <h1>Event ingestion</h1>
      </header>
      <Progress isBusy={found.isBusy} text="Reading the tokens" />
      {!isAllowed && (
        <EmptyState title="Only administrators see the settings" icon="settings">
          Sign in with an API key of the role admin, or ask somebody who has one.
        </EmptyState>
      )}
      {found.error !== undefined && <ErrorState error={found.error} onRetry={found.refresh} />}
      {found.answer?.length === 0 && (
        <EmptyState title="There is no ingestion token yet" icon="settings">
          One is made by <code>POST /api/v1/settings/ingestion-tokens</code>.
        </EmptyState>
      )}
      {found.answer !== undefined && found.answer.length > 0 && (
        <Table
          label="Ingestion tokens"
          rows={found.answer}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Service', cell: ({ serviceName }) => serviceName },
            { title: 'Environment', cell: ({ environment }) => environment },
            { title: 'Token', cell: ({ hint }) => <code>…{hint}</code> },
            { title: 'Events', isNumber: true, cell: token => countText(token.eventCount) },
            {
              title: 'Last used',
              cell: ({ lastUsedAt }) =>
                lastUsedAt === null ? 'never' : fullText(lastUsedAt, zone.value),
            },
          ]}
        />
      )}
    </div>
  )
}
