/** Beside the cost of the answer: live, refreshing, how rows look, export. */

import { useCommands } from '../app/commands.ts'
import { setParams } from '../state/location.ts'
import { toggleZone, zone } from '../time/zone.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import {
  columns,
  form,
  isCompared,
  isLive,
  isWrapped,
  linked,
  order,
  refreshEvery,
  runAgain,
  toggleColumn,
  toggleOrder,
} from './shown.ts'
import { useExport } from './use-export.ts'

function toggleLive(): void {
  setParams({ ...isLive.change(!isLive.peek()), ...order.change('newest'), ...linked.change('') })
}

/** @param canBeLive Whether the query returns records. */
export function Toolbar({ canBeLive }: { readonly canBeLive: boolean }) {
  const exporting = useExport()
  useToolbarCommands(canBeLive, exporting.start)
  const every = refreshEvery.value
  return (
    <div class="logs-tools">
      {exporting.receivedText !== undefined && (
        <span class="logs-export soft" role="status">
          {exporting.receivedText}
          <Button isSmall kind="outline" onClick={exporting.cancel}>
            Cancel
          </Button>
        </span>
      )}
      {canBeLive && (
        <Button
          isSmall
          icon={isLive.value ? 'pause' : 'play'}
          aria-pressed={isLive.value}
          title="Live tail (l)"
          onClick={toggleLive}
        >
          Live
        </Button>
      )}
      <Menu
        label={`Refresh: ${every}`}
        className="button button-plain button-small"
        items={[
          { text: 'Refresh now', icon: 'refresh', run: runAgain },
          { heading: 'Automatic, while the newest records are in view' },
          ...(['off', '10s', '1m'] as const).map(choice => ({
            text: choice === 'off' ? 'Off' : `Every ${choice.replace(/(\d+)/, '$1 ')}`,
            isChosen: every === choice,
            run: () => refreshEvery.set(choice, 'replace'),
          })),
        ]}
      >
        <Icon name="refresh" />
        {every !== 'off' && every}
        <Icon name="down" />
      </Menu>
      <Menu
        label="View"
        className="button button-plain button-small"
        items={[
          { heading: 'Records' },
          {
            text: 'As rows',
            isChosen: form.value === 'rows',
            run: () => form.set('rows', 'replace'),
          },
          {
            text: 'As JSON',
            isChosen: form.value === 'json',
            run: () => form.set('json', 'replace'),
          },
          { heading: 'Order' },
          {
            text: 'Newest first',
            isChosen: order.value === 'newest',
            run: () => setOrder('newest'),
          },
          {
            text: 'Oldest first',
            isChosen: order.value === 'oldest',
            run: () => setOrder('oldest'),
          },
          { heading: 'Histogram' },
          {
            text: 'Compared with before',
            isChosen: isCompared.value,
            run: () => isCompared.set(!isCompared.peek(), 'replace'),
          },
          { heading: 'Long lines' },
          { text: 'Cut', isChosen: !isWrapped.value, run: () => isWrapped.set(false) },
          { text: 'Wrapped', isChosen: isWrapped.value, run: () => isWrapped.set(true) },
          { heading: 'Time' },
          { text: 'Local time', isChosen: zone.value === 'local', run: () => setZone('local') },
          { text: 'UTC', isChosen: zone.value === 'utc', run: () => setZone('utc') },
          ...(columns.value.length === 0 ? [] : [{ heading: 'Remove a column' }]),
          ...columns.value.map(field => ({
            text: field,
            icon: 'close' as const,
            run: () => toggleColumn(field),
          })),
        ]}
      >
        <Icon name="columns" />
        <span class="logs-tool-word">View</span>
        <Icon name="down" />
      </Menu>
      {canBeLive && (
        <Menu
          label="Export"
          className="button button-plain button-small"
          items={[
            { heading: 'All records that match, as a file' },
            { text: 'NDJSON', run: () => void exporting.start('application/x-ndjson') },
            { text: 'CSV', run: () => void exporting.start('text/csv') },
          ]}
        >
          <Icon name="download" />
          <span class="logs-tool-word">Export</span>
          <Icon name="down" />
        </Menu>
      )}
    </div>
  )
}

function setOrder(wanted: 'newest' | 'oldest'): void {
  if (order.peek() !== wanted) toggleOrder()
}

function setZone(wanted: 'local' | 'utc'): void {
  if (zone.peek() !== wanted) toggleZone()
}

function useToolbarCommands(
  canBeLive: boolean,
  startExport: ReturnType<typeof useExport>['start'],
): void {
  const group = 'Logs'
  const live = { id: 'logs.live', group, text: 'Start or stop the live tail', keys: 'l' }
  const forRecords = [
    { ...live, run: toggleLive },
    {
      id: 'logs.ndjson',
      group,
      text: 'Export as NDJSON',
      run: () => void startExport('application/x-ndjson'),
    },
    { id: 'logs.csv', group, text: 'Export as CSV', run: () => void startExport('text/csv') },
  ]
  useCommands([
    { id: 'logs.refresh', group, text: 'Run the query again', keys: 'r', run: runAgain },
    {
      id: 'logs.wrap',
      group,
      text: 'Wrap or truncate long lines',
      keys: 'w',
      run: () => isWrapped.set(!isWrapped.peek()),
    },
    { id: 'logs.order', group, text: 'Newest or oldest first', keys: 'a', run: toggleOrder },
    {
      id: 'logs.compare',
      group,
      text: 'Compare with the period before',
      keys: 'y',
      run: () => isCompared.set(!isCompared.peek(), 'replace'),
    },
    {
      id: 'logs.json',
      group,
      text: 'Show records as JSON, or as rows',
      keys: 'b',
      run: () => form.set(form.peek() === 'json' ? 'rows' : 'json', 'replace'),
    },
    ...(canBeLive ? forRecords : []),
  ])
}
