/** All dashboards by folder: to find one, to make one, and what can be done with each. */

import { useRef } from 'preact/hooks'
import { pathTo } from '../../http/page-paths.ts'
import { minuteMs } from '../../time-units.ts'
import { type DashboardSummary, listDashboards } from '../api/dashboards.ts'
import { useCommands } from '../app/commands.ts'
import { keepingEnvironment } from '../app/environment.tsx'
import { may } from '../app/session.ts'
import { textParam } from '../state/param-kinds.ts'
import { useRequest } from '../state/request.ts'
import { urlParam } from '../state/url-param.ts'
import { fullText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { EmptyState, ErrorState, Progress } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import {
  createBoard,
  deleteBoard,
  duplicateBoard,
  exportBoard,
  importBoard,
  loadTree,
  openBoard,
} from './actions.ts'
import { byFolder, folderText, found as foundBy } from './model/folders.ts'

const search = urlParam('search', textParam())

export function DashboardList() {
  const asked = useRequest('dashboards', listDashboards)
  const all = asked.answer ?? []
  const folders = byFolder(foundBy(all, search.value))
  const field = useRef<HTMLInputElement>(null)
  useCommands('Dashboards', [
    {
      id: 'boards.search',
      text: 'Search the dashboards',
      keys: '/',
      run: () => field.current?.focus(),
    },
  ])
  return (
    <div class="page">
      <header class="page-header line apart wraps">
        <h1>Dashboards</h1>
        <div class="board-tools line wraps">
          <input
            class="input list-search"
            type="search"
            placeholder="Search"
            aria-label="Search the dashboards"
            value={search.value}
            ref={field}
            onInput={event => search.set(event.currentTarget.value, 'replace')}
          />
          {may('editor') && <ListActions takenIds={all.map(({ id }) => id)} />}
        </div>
      </header>
      <Progress isBusy={asked.isBusy} text="Loading dashboards" />
      {asked.error !== undefined && <ErrorState error={asked.error} onRetry={asked.refresh} />}
      {asked.answer?.length === 0 && (
        <EmptyState
          title="No dashboard yet"
          icon="dashboards"
          actions={may('editor') && <ListActions takenIds={[]} />}
        >
          {may('editor')
            ? 'Make one here, import one as JSON, or send it to POST /api/v1/dashboards/update.'
            : 'Editors can create one.'}
        </EmptyState>
      )}
      {all.length > 0 && folders.length === 0 && (
        <EmptyState
          title="No matching dashboard"
          icon="search"
          actions={
            <Button kind="outline" onClick={() => search.set('', 'replace')}>
              Show all
            </Button>
          }
        />
      )}
      {folders.map(({ path, dashboards }) => (
        <section class="folder" key={path} aria-label={folderText(path)}>
          <h2 class="soft">{folderText(path)}</h2>
          <Table
            label={`Dashboards in ${folderText(path)}`}
            rows={dashboards}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Title',
                cell: ({ id, title }) => (
                  <a href={keepingEnvironment(pathTo('dashboard', id))}>{title || id}</a>
                ),
              },
              {
                title: 'Changed',
                cell: ({ updatedAt }) => (
                  <span class="soft">
                    {fullText(updatedAt - (updatedAt % minuteMs), zone.value)}
                  </span>
                ),
              },
              {
                title: 'Actions',
                isTitleHidden: true,
                isNumber: true,
                cell: board => <RowMenu board={board} onChanged={asked.refresh} />,
              },
            ]}
          />
        </section>
      ))}
    </div>
  )
}

function ListActions({ takenIds }: { readonly takenIds: readonly string[] }) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind="outline" icon="upload" onClick={() => file.current?.click()}>
        Import
      </Button>
      <input
        class="visually-hidden"
        type="file"
        accept="application/json,.json"
        aria-label="A dashboard as JSON"
        tabIndex={-1}
        ref={file}
        onChange={event => {
          const [chosen] = event.currentTarget.files ?? []
          if (chosen !== undefined) void importBoard(chosen, takenIds)
          event.currentTarget.value = '' // The same file may be chosen again.
        }}
      />
      <Button kind="primary" icon="plus" onClick={createBoard}>
        New
      </Button>
    </>
  )
}

function RowMenu({
  board: { id, title },
  onChanged,
}: {
  readonly board: DashboardSummary
  onChanged(): void
}) {
  const withTree = (act: (tree: Awaited<ReturnType<typeof loadTree>>) => unknown) => async () => {
    act(await loadTree(id))
  }
  const exporting = withTree(exportBoard)
  const duplicating = withTree(duplicateBoard)
  return (
    <Menu
      label={`More about ${title || id}`}
      className="button button-icon"
      items={[
        { text: 'Open', icon: 'right', run: () => openBoard(id) },
        { text: 'Export JSON', icon: 'download', run: () => void exporting() },
        ...(may('editor')
          ? [
              { text: 'Edit', icon: 'edit', run: () => openBoard(id, 'edit') } as const,
              { text: 'Duplicate', icon: 'copy', run: () => void duplicating() } as const,
              {
                text: 'Delete',
                icon: 'trash',
                isDangerous: true,
                run: () => void deleteBoard(id, onChanged),
              } as const,
            ]
          : []),
      ]}
    >
      <Icon name="more" />
    </Menu>
  )
}
