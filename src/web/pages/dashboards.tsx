/** The dashboards there are, by folder. */

import { listDashboards } from '../api/dashboards.ts'
import { pathTo } from '../paths.ts'
import { useRequest } from '../state/request.ts'
import { fullText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'

export function DashboardsPage() {
  const found = useRequest('dashboards', listDashboards)
  return (
    <div class="page">
      <header class="page-header">
        <h1>Dashboards</h1>
      </header>
      <Progress isBusy={found.isBusy} text="Reading the dashboards" />
      {found.error !== undefined && <ErrorState error={found.error} onRetry={found.refresh} />}
      {found.answer?.length === 0 && (
        <EmptyState title="There is no dashboard yet" icon="dashboards">
          One is made by <code>POST /api/v1/dashboards/update</code>.
        </EmptyState>
      )}
      {found.answer !== undefined && found.answer.length > 0 && (
        <Table
          label="Dashboards"
          rows={found.answer}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Title',
              cell: ({ id, title }) => <a href={pathTo('dashboard', id)}>{title || id}</a>,
            },
            { title: 'Folder', cell: ({ folderPath }) => folderPath },
            { title: 'Changed', cell: ({ updatedAt }) => fullText(updatedAt, zone.value) },
          ]}
        />
      )}
    </div>
  )
}
